/** What single fields of an exported task may be. A file can say anything. */
import * as v from 'valibot';
import { outputSegments } from '../core/output-path';

/** As `crypto.randomUUID` makes them: an id is part of paths and of names of files. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** More than any task comes to; what is added to it stays exact. */
const MOST = 2 ** 48;
/** What a date can be. */
const MOST_MS = 8.64e15;

export const text = v.string();
export const name = v.pipe(text, v.nonEmpty());
export const number = v.pipe(v.number(), v.finite());
export const whole = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST));
export const timeMs = v.pipe(v.number(), v.minValue(-MOST_MS), v.maxValue(MOST_MS));
export const id = v.pipe(text, v.regex(UUID, 'no id of this app'));

/** A path within the folder: nothing that leads out of it, on any system. */
export const path = v.pipe(text, v.check(isConfined, 'a path that leads out'));

/** A path that is written to. */
export const target = v.pipe(
  text,
  v.check((value) => outputSegments(value).ok, 'a path that leads out'),
);

export function isConfined(value: string): boolean {
  return !value.includes('\\') && value.split('/').every((part) => !['', '.', '..'].includes(part));
}

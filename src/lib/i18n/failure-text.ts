import type { FailureDetails } from '../core/failure';

/** What a person reads of a failure. Every function also answers sensibly when a detail is missing. */
export interface FailureText {
  /** What happened, in one sentence. */
  what(details: FailureDetails): string;
  /** What is not lost. */
  safe(details: FailureDetails): string;
  /** What to do, or that there is nothing to do. */
  next(details: FailureDetails): string;
  /** A line to copy into a terminal, where one mends it or tells more; empty where there is none after all. */
  command?(details: FailureDetails): string;
}

/** A detail as text, or null when it is missing or blank. */
export function detail(details: FailureDetails, name: string): string | null {
  const value = details[name];
  return value === undefined || value === '' ? null : String(value);
}

/** Whether a server that let nobody in was given no key at all. */
export function isKeyless(details: FailureDetails): boolean {
  return detail(details, 'sent') === 'no key';
}

/** A number of bytes for people, in binary units up to GiB: `512 KB`, `1.5 MB`. Null when missing. */
export function bytesDetail(details: FailureDetails, name: string): string | null {
  const value = details[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const power = value < 1024 ** 2 ? 1 : value < 1024 ** 3 ? 2 : 3;
  const amount = value / 1024 ** power;
  return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)} ${['', 'KB', 'MB', 'GB'][power]}`;
}

/** A number of milliseconds in whole seconds, at least 1. Null when missing. */
export function secondsDetail(details: FailureDetails, name: string): number | null {
  const value = details[name];
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(1, Math.round(value / 1000)) : null;
}

import * as v from 'valibot';
import type { EndpointId } from '../core/ids';
import type { EndpointLearned } from '../core/learned';

const number = v.pipe(v.number(), v.finite());
const level = v.nullable(v.object({ level: number, wallMs: number }));
const learnedShape = v.object({
  baseUrl: v.string(),
  rates: v.nullable(v.object({ requests: level, tokens: level })),
  ratios: v.record(v.string(), v.array(number)),
});

/** The setting under which what was learned of an endpoint lies. */
export function learnedName(id: EndpointId): string {
  return `learned/${id}`;
}

/** Null for anything else: what was learned is learned again. */
export function learnedIn(id: EndpointId, value: unknown): EndpointLearned | null {
  const parsed = v.safeParse(learnedShape, value);
  return parsed.success ? { ...parsed.output, id } : null;
}

import * as v from 'valibot';
import { SETTING_BOUNDS } from '../../core/endpoint-settings';

const { least, most } = SETTING_BOUNDS.contextTokens;

/** A window that a server tells. One that nobody could set is none, and as good as not told. */
export const toldTokens = v.fallback(
  v.nullish(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most))),
  null,
);

import type { StepType } from '../core/step';

/** The keys of a type: from `first` up to, not with, `end`. `0` is the character after `/`. */
export function typeRange(type: StepType): { readonly first: string; readonly end: string } {
  return { first: `${type}/`, end: `${type}0` };
}

import { REPORT_SECTIONS } from '../core/model';
import type { BatchOptions } from '../core/task';
import type { JobContext } from '../engine/job';
import { CHAT_TOKENS, promptTokens } from './ask';
import { budgetFor, type Budget } from './budget';
import { mergeRequest, sectionRequest } from './requests';

/** The fence around an input, the word before its name, and what rounding adds. */
const FRAME_TOKENS = 8;
const MIN_NAME_TOKENS = 16;
const MIN_INPUT_TOKENS = 16;
/** A name may take up this share of the matter. */
const NAME_SHARE = 16;

/** What fits into one request of the report tree, in tokens. */
export interface ReportRoom extends Budget {
  /** What inputs may have together with their names and fences, beside the longest wording and a whole answer. */
  readonly framedTokens: number;
  /** What a single input may have so that any two fit, whatever their names. Longer ones are condensed. */
  readonly inputTokens: number;
  readonly nameTokens: number;
}

export function reportRoom(context: Pick<JobContext, 'contextTokens' | 'extractor' | 'task'>): ReportRoom {
  const { contextTokens, extractor } = context;
  const { options } = context.task;
  const budget = budgetFor(contextTokens, extractor.estimateTokens(options.instructions));
  const wording = Math.max(...emptyRequests(options).map((request) => promptTokens(extractor, request)));
  const framedTokens = contextTokens - CHAT_TOKENS - budget.answerTokens - wording;
  const nameTokens = Math.max(MIN_NAME_TOKENS, Math.floor(budget.matterTokens / NAME_SHARE));
  const half = Math.min(Math.floor(budget.matterTokens / 2), Math.floor(framedTokens / 2) - nameTokens - FRAME_TOKENS);
  return { ...budget, framedTokens, nameTokens, inputTokens: Math.max(MIN_INPUT_TOKENS, half) };
}

/** What an input takes beside its text. */
export function frameTokens(context: Pick<JobContext, 'extractor'>, room: ReportRoom, name: string): number {
  return FRAME_TOKENS + context.extractor.estimateTokens(shownName(context, room, name));
}

/** A name as prompts show it: its end, when it is too long to stand beside the text it names. */
export function shownName(context: Pick<JobContext, 'extractor'>, room: ReportRoom, name: string): string {
  let shown = name;
  let tail = [...name];
  while (context.extractor.estimateTokens(shown) > room.nameTokens && tail.length > 1) {
    tail = tail.slice(Math.ceil(tail.length / 8));
    shown = `…${tail.join('')}`;
  }
  return shown;
}

function emptyRequests(options: BatchOptions) {
  return [mergeRequest(options, [], 0), ...REPORT_SECTIONS.map((section) => sectionRequest(options, section, [], 0))];
}

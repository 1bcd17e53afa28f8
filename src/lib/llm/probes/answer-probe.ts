import type { ModelListing } from '../../core/doctor';
import type { Failure } from '../../core/failure';
import { fail, ok, type Result } from '../../core/result';
import { readAnswer } from '../answer-reader';
import { askModel } from '../ask-model';
import { watchRequest } from '../clocks';
import { judgeClock, judgeEnding } from '../judge-answer';
import { made, mapRefusal, type ErrorContext } from '../map-error';
import type { ProbeContext } from './probe-context';
import { onlyModel, serverAt } from './recognise';

type Wanted = Pick<ErrorContext, 'baseUrl' | 'model'>;

/** `model_not_found` unless the list has the model that is asked for. */
export function findModel(models: readonly ModelListing[], errors: ErrorContext): Failure | null {
  if (listingOf(models, errors)) return null;
  const available = models
    .map(({ id }) => id)
    .slice(0, 20)
    .join(', ');
  return made(errors, 'model_not_found', 'not in the list of models', { available });
}

/** A name without a tag means the latest, as Ollama writes it. */
export function listingOf(models: readonly ModelListing[], { baseUrl, model }: Wanted): ModelListing | undefined {
  const names = [model, `${model}:latest`, ...(serverAt(baseUrl) === 'openrouter' ? plainNames(model) : [])];
  return names.map((name) => models.find(({ id }) => id === name)).find((listing) => listing !== undefined);
}

/** The model that answers: the one that is asked for, or the only one there is where that answers under any name. */
export function answeringListing(models: readonly ModelListing[], list: unknown, wanted: Wanted): ModelListing | null {
  return listingOf(models, wanted) ?? onlyModel(models, list);
}

/** OpenRouter takes any model with ways of serving it behind its name, `:nitro` or `:online` say, and lists few of them. */
function plainNames(model: string): readonly string[] {
  const [name = '', ...suffixes] = model.split(':');
  return suffixes.map((_, from) => [name, ...suffixes.slice(0, suffixes.length - 1 - from)].join(':'));
}

/** Asks for one token. Resolves to the time until it came, or until the answer ended without one. */
export async function probeAnswer(context: ProbeContext, limitMs: number): Promise<Result<number>> {
  const { errors, client, dialect, clock, signal } = context;
  const each = { connectMs: limitMs, firstTokenMs: limitMs, idleMs: limitMs, wholeMs: limitMs, wakeMs: limitMs };
  const clocks = { ...each, graceMs: 300, readingMargin: 0, wakeReadingMs: 0 };
  const question = {
    messages: [{ role: 'user' as const, content: 'Say OK.' }],
    temperature: 0,
    maxTokens: 1,
    shape: context.settings,
  };
  const startedMs = clock.monotonicMs();
  const watch = watchRequest(clock, clocks, signal);
  const seen: { firstTokenMs: number | null } = { firstTokenMs: null };
  try {
    const response = await askModel(client, dialect, errors.model, question, watch.signal);
    watch.headersSeen();
    const onToken = () => {
      seen.firstTokenMs ??= clock.monotonicMs() - startedMs;
      watch.finishSeen(clocks.graceMs);
    };
    const read = await readAnswer(response, {
      watch,
      graceMs: clocks.graceMs,
      maxCharacters: Infinity,
      onToken,
      onPrefill: () => undefined,
      onText: undefined,
    });
    if (seen.firstTokenMs !== null) return ok(seen.firstTokenMs);
    const wrong = judgeEnding(read, judgeClock(watch.expired, clocks, errors), errors);
    return wrong ? fail(wrong) : ok(clock.monotonicMs() - startedMs);
  } catch (error) {
    if (watch.expired !== null) return fail(made(errors, 'first_token_timeout', 'no first token', { limitMs }));
    return fail(mapRefusal(error, errors));
  } finally {
    watch.stop();
  }
}

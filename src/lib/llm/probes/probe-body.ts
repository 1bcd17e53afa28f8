import type { ModelMessage } from '../../core/model';
import type { ProbeContext } from './probe-context';

/**
 * A question in the parameters that this server takes, as its first answer has shown them: what it refuses by name says
 * nothing of what is asked with it. Neither streamed nor not.
 */
export function probeBody(
  { dialect, errors, settings }: Pick<ProbeContext, 'dialect' | 'errors' | 'settings'>,
  messages: readonly ModelMessage[],
  maxTokens: number,
): Readonly<Record<string, unknown>> {
  const asked = dialect.body(errors.model, { messages, temperature: 0, maxTokens, shape: settings });
  const { extra, stream_options: _usage, return_progress: _progress, ...body } = asked;
  return { ...extra, ...body };
}

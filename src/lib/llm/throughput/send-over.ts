import type { Completion } from '../../core/model';
import type { CompleteOptions } from '../../core/ports';
import type { Result } from '../../core/result';
import { isLaneTrouble, sendEndOf } from './send-end';
import type { SendLine } from './send-line';

/**
 * Sends a request when its turn comes, to the address that is its turn's. When another address than the endpoint's own
 * does not answer, the request stands in line once more: that address is dropped, and the server may well be there.
 */
export async function sendOver(
  line: Pick<SendLine, 'enter'>,
  tokens: number,
  { signal, recall, onRateWait }: Pick<CompleteOptions, 'signal' | 'recall' | 'onRateWait'>,
  send: (baseUrl: string) => Promise<Result<Completion>>,
): Promise<Result<Completion>> {
  const inLine = recall ? AbortSignal.any([signal, recall]) : signal;
  for (;;) {
    const turn = await line.enter(tokens, inLine, onRateWait);
    try {
      const answered = await send(turn.baseUrl);
      turn.end(sendEndOf(answered));
      if (!isLaneTrouble(turn, answered)) return answered;
    } finally {
      turn.end({ how: 'other' });
    }
  }
}

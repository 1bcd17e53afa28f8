import type { EndpointId } from '../core/ids';

interface HeldKey {
  readonly key: string;
  /** When the person typed it, in Unix milliseconds; 0 when that was before this worker began. */
  readonly typedMs: number;
}

export type KeyMessage =
  | ({ readonly what: 'key'; readonly id: EndpointId } & HeldKey)
  | { readonly what: 'gone'; readonly id: EndpointId }
  /** A worker has begun: whoever has keys says them. */
  | { readonly what: 'asked' };

/** Carries keys between the workers of the open tabs, in memory. */
export interface KeyChannel {
  send(message: KeyMessage): void;
  onMessage(listener: (message: KeyMessage) => void): void;
}

/** What a tab keeps of a session's keys. The tab that works on a task need not be the one in which its key was typed. */
export class SessionKeys {
  /** Called when another tab has told a key that was not known here. */
  onHeard: () => void = () => undefined;
  readonly #keys = new Map<EndpointId, HeldKey>();
  readonly #channel: KeyChannel;

  constructor(channel: KeyChannel) {
    this.#channel = channel;
    channel.onMessage((message) => this.#receive(message));
    channel.send({ what: 'asked' });
  }

  get(id: EndpointId): string | undefined {
    return this.#keys.get(id)?.key;
  }

  /** The person has typed it just now: it takes the place of every other, in all tabs. */
  typed(id: EndpointId, key: string, nowMs: number): void {
    this.#tell(id, { key, typedMs: Math.max(nowMs, (this.#keys.get(id)?.typedMs ?? 0) + 1) });
  }

  /** The page has it from before its worker began; another tab may know a later one. */
  remembered(id: EndpointId, key: string): void {
    if (!this.#keys.has(id)) this.#tell(id, { key, typedMs: 0 });
  }

  forget(id: EndpointId): void {
    this.#keys.delete(id);
    this.#channel.send({ what: 'gone', id });
  }

  #tell(id: EndpointId, held: HeldKey): void {
    this.#keys.set(id, held);
    this.#channel.send({ what: 'key', id, ...held });
  }

  #receive(message: KeyMessage): void {
    switch (message.what) {
      case 'asked':
        for (const [id, held] of this.#keys) this.#channel.send({ what: 'key', id, ...held });
        return;
      case 'gone':
        this.#keys.delete(message.id);
        return;
      case 'key': {
        const { id, key, typedMs } = message;
        if (typedMs <= (this.#keys.get(id)?.typedMs ?? -1)) return;
        this.#keys.set(id, { key, typedMs });
        this.onHeard();
      }
    }
  }
}

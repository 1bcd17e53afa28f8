import type { Locks } from '../core/ports';
import type { EnginePorts } from '../engine/engine-ports';
import type { OwnerChannel, OwnerMessage } from '../engine/owner-channel';
import { Supervisor } from '../engine/supervisor';
import { singleTabLocks } from '../platform/locks-single';

/** One tab: its way to the locks and to the other tabs. A frozen one hears nothing until it thaws. */
export interface FakeTab {
  readonly locks: Locks;
  readonly channel: OwnerChannel;
  freeze(): void;
  thaw(): void;
}

/** Locks and messages shared by the workers of several tabs, in one process. */
export class FakeTabs {
  readonly #shared = singleTabLocks();
  readonly #ears = new Map<FakeTab, (message: OwnerMessage) => void>();

  /** One more tab. */
  open(): FakeTab {
    let missed: (() => void)[] | null = null;
    const hear = (what: () => void) => {
      if (missed) missed.push(what);
      else what();
    };
    const tab: FakeTab = {
      locks: {
        hold: (name, signal, work, options) =>
          this.#shared.hold(
            name,
            signal,
            (lost) => {
              const told = new AbortController();
              lost.addEventListener('abort', () => hear(() => told.abort()), { once: true });
              return work(told.signal);
            },
            options,
          ),
      },
      channel: {
        send: (message) => {
          for (const [other, ear] of this.#ears) if (other !== tab) ear(message);
        },
        onMessage: (listener) => this.#ears.set(tab, (message) => hear(() => listener(message))),
      },
      freeze: () => (missed ??= []),
      thaw: () => {
        const late = missed ?? [];
        missed = null;
        for (const what of late) what();
      },
    };
    return tab;
  }
}

/** The worker of a tab. */
export function supervisorIn(tab: FakeTab, ports: EnginePorts): Supervisor {
  return new Supervisor(ports, tab.locks, tab.channel);
}

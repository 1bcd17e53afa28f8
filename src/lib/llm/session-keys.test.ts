import { describe, expect, it } from 'vitest';
import { endpointId } from '../core/ids';
import { SessionKeys, type KeyMessage } from './session-keys';

const ID = endpointId('endpoint-1');

/** Opens tabs whose workers hear each other. */
function browser() {
  const ears = new Set<(message: KeyMessage) => void>();
  return () => {
    let own: (message: KeyMessage) => void = () => undefined;
    const keys = new SessionKeys({
      send: (message) => {
        for (const ear of [...ears]) if (ear !== own) ear(message);
      },
      onMessage: (listener) => ears.add((own = listener)),
    });
    const heard: (string | undefined)[] = [];
    keys.onHeard = () => heard.push(keys.get(ID));
    return { keys, heard };
  };
}

describe('a key for one session', () => {
  it('is known to every open tab as soon as it is typed in one', () => {
    const openTab = browser();
    const [here, there] = [openTab(), openTab()];
    here.keys.typed(ID, 'sk-one', 1);
    expect(there.heard).toEqual(['sk-one']);
    expect(here.heard).toEqual([]);
  });

  it('is known to a tab that is opened later, and to one whose worker is a new one', () => {
    const openTab = browser();
    openTab().keys.remembered(ID, 'sk-one');
    expect(openTab().keys.get(ID)).toBe('sk-one');
  });

  it('is the one that was typed last, whatever another tab remembers', () => {
    const openTab = browser();
    const here = openTab();
    here.keys.remembered(ID, 'sk-old');
    const there = openTab();
    there.keys.typed(ID, 'sk-new', 2);
    expect(here.heard).toEqual(['sk-new']);
    const reloaded = openTab();
    reloaded.keys.remembered(ID, 'sk-old');
    expect([here, there, reloaded].map(({ keys }) => keys.get(ID))).toEqual(['sk-new', 'sk-new', 'sk-new']);
  });

  it('is replaced by one that is typed after the clock was set back', () => {
    const openTab = browser();
    const [here, there] = [openTab(), openTab()];
    here.keys.typed(ID, 'sk-old', 9_000);
    there.keys.typed(ID, 'sk-new', 1);
    expect(here.keys.get(ID)).toBe('sk-new');
  });

  it('is forgotten in every tab with its endpoint', () => {
    const openTab = browser();
    const [here, there] = [openTab(), openTab()];
    here.keys.typed(ID, 'sk-one', 1);
    there.keys.forget(ID);
    expect([here, there, openTab()].map(({ keys }) => keys.get(ID))).toEqual([undefined, undefined, undefined]);
  });
});

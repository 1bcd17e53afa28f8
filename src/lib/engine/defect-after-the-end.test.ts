import { expect, it } from 'vitest';
import { InjectedFault } from '../core/fault-points';
import { EngineBench } from '../testing/engine-bench';
import { FaultScript } from '../testing/fault-script';

it.each(['before-commit', 'after-commit'] as const)(
  'a task that is completed stays so, whatever defect shows %s of what is noted afterwards',
  async (point) => {
    const make = async (nth: number) => {
      const script = new FaultScript(
        point,
        () => {
          throw new InjectedFault(point);
        },
        nth,
      );
      const bench = new EngineBench({ faults: script });
      bench.folder.put('a.txt', 'a text');
      await bench.createTask();
      const statuses: string[] = [];
      const commit = bench.store.commit.bind(bench.store);
      bench.store.commit = async (draft) => {
        const done = await commit(draft);
        if (done.ok) statuses.push(done.value.status);
        return done;
      };
      await bench.run();
      return { script, statuses };
    };
    const { script } = await make(1_000);
    const all = script.timesPassed(point);
    const seen: string[] = [];
    for (let nth = 1; nth <= all; nth += 1) {
      const { statuses } = await make(nth);
      const end = statuses.indexOf('completed');
      if (end >= 0) seen.push(...statuses.slice(end));
    }
    expect([...new Set(seen)]).toEqual(['completed']);
  },
);

import { expect, it } from 'vitest';
import { failure } from '../core/failure';
import { fail } from '../core/result';
import { EngineBench } from '../testing/engine-bench';
import { OwnerLife } from '../testing/owner-life';
import { answer } from '../testing/scripted-model';

/** More commits than a retry of one file makes. */
const COMMITS = 12;

it.each(Array.from({ length: COMMITS }, (_, index) => index + 1))(
  'a retry of a finished task that is killed at its %i. commit is gone on with, or can be asked for again',
  async (nth) => {
    const bench = new EngineBench();
    for (const name of ['a', 'b', 'c']) bench.folder.put(`${name}.txt`, `text ${name}`);
    bench.model.script(({ matter }) => (matter.includes('b') ? fail(failure('content_refused')) : answer(matter)));
    await bench.createTask();
    await bench.run();
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 2, failed: 1 } });

    bench.model.script(({ matter }) => answer(matter));
    const commit = bench.store.commit.bind(bench.store);
    let commits = 0;
    bench.store.commit = async (each) => {
      const saved = await commit(each);
      commits += 1;
      if (commits === nth) life.die();
      return saved;
    };
    const life = new OwnerLife(bench);
    await life.live(() => false, true);
    const { status, counts } = await bench.task();
    const isWholeOrAsked = counts.failed > 0 || counts.done === 3;
    expect(status === 'running' || isWholeOrAsked, `${status} ${JSON.stringify(counts)}`).toBe(true);
    await new OwnerLife(bench).live(() => false, counts.failed > 0);
    expect(await bench.task()).toMatchObject({ status: 'completed', counts: { done: 3, failed: 0 } });
  },
);

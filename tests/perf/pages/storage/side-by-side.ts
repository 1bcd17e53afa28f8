import { Annotation, END, MemorySaver, START, StateGraph, type BaseCheckpointSaver } from '@langchain/langgraph/web';
import { countWrittenBytes, type WrittenBytes } from '../written-bytes';
import { openRecords } from './bare-store';
import { doneDraft, doneStepOf, pendingStep, resultOf, runningDraft } from './bench-steps';
import { journaledStore, newTask } from './bench-store';
import { exponent, mean, slice } from './figures';
import { IdbSaver } from './idb-saver';

/** Moments at which each step was saved, the first being the beginning. */
type Run = (name: string, steps: number) => Promise<readonly number[]>;

const { task } = newTask('state');

/** What a step adds to a state: its row and its answer. */
const addition = (index: number) => {
  const result = resultOf(index);
  return { step: doneStepOf(pendingStep(task.id, index), result), result };
};

const KINDS: Readonly<Record<string, Run>> = {
  talaria: async (name, steps) => {
    const { commit, task: owned } = await journaledStore(name);
    return moments(steps, async (index) => {
      const step = pendingStep(owned.id, index);
      await commit(runningDraft(step));
      await commit(doneDraft(step, index));
    });
  },
  /** One record that holds all state, as text, put again after each step. */
  'whole state': async (name, steps) => {
    const database = await openRecords(name, ['states']);
    const state = { task, steps: [] as unknown[] };
    return moments(steps, async (index) => {
      state.steps.push(addition(index));
      await new Promise((resolve, reject) => {
        const transaction = database.transaction('states', 'readwrite', { durability: 'relaxed' });
        transaction.objectStore('states').put(JSON.stringify(state), 'task');
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error ?? new Error('a transaction was aborted'));
      });
    });
  },
  'LangGraph.js without a saver': (_, steps) => graphMoments(steps, undefined),
  'LangGraph.js, MemorySaver': (_, steps) => graphMoments(steps, new MemorySaver()),
  'LangGraph.js, IndexedDB': async (name, steps) => graphMoments(steps, await IdbSaver.open(name)),
};

/** Each kind over the same steps, in tasks of growing size. */
export async function measureKinds(steps: number): Promise<unknown> {
  const written = countWrittenBytes();
  const sizes = [steps / 8, steps / 4, steps / 2, steps];
  const found: Record<string, unknown> = {};
  for (const [kind, run] of Object.entries(KINDS)) found[kind] = await measureKind(kind, run, sizes, written);
  return found;
}

async function measureKind(kind: string, run: Run, sizes: readonly number[], written: WrittenBytes) {
  const times: (readonly [number, number])[] = [];
  const bytes: (readonly [number, number])[] = [];
  let each: readonly number[] = [];
  for (const size of sizes) {
    const before = written.total();
    const at = await run(`${kind} ${size}`, size);
    each = at.slice(1).map((moment, index) => moment - (at[index] ?? 0));
    times.push([size, mean(each) * size]);
    bytes.push([size, written.total() - before]);
  }
  const total = bytes.at(-1)?.[1] ?? 0;
  return {
    meanMs: mean(each),
    firstMs: mean(slice(each, 0, 0.1)),
    lastMs: mean(slice(each, 0.9, 1)),
    timeExponent: exponent(times),
    bytes: total,
    bytesExponent: total > 0 ? exponent(bytes) : null,
  };
}

async function moments(steps: number, save: (index: number) => Promise<void>): Promise<readonly number[]> {
  const at = [performance.now()];
  for (let index = 0; index < steps; index += 1) {
    await save(index);
    at.push(performance.now());
  }
  return at;
}

/** A loop of one node, which appends to a list in the state; each call of it comes once the one before is saved. */
async function graphMoments(steps: number, checkpointer: BaseCheckpointSaver | undefined): Promise<readonly number[]> {
  const State = Annotation.Root({
    steps: Annotation<unknown[]>({ reducer: (before, more) => [...before, ...more], default: () => [] }),
  });
  const at: number[] = [];
  const graph = new StateGraph(State)
    .addNode('work', (state) => {
      at.push(performance.now());
      return { steps: [addition(state.steps.length)] };
    })
    .addEdge(START, 'work')
    .addConditionalEdges('work', (state) => (state.steps.length < steps ? 'work' : END))
    .compile(checkpointer ? { checkpointer } : {});
  await graph.invoke({ steps: [] }, { configurable: { thread_id: 'bench' }, recursionLimit: steps + 10 });
  at.push(performance.now());
  return at;
}

import { stepKey, type StepKey } from '../core/ids';
import { keyAtOrigin } from '../core/import-origin';
import { REPORT_SECTIONS } from '../core/model';
import { ok, type Result } from '../core/result';
import type { StepRow, StepType } from '../core/step';
import type { DerivedStep, JobContext, NextWave } from '../engine/job';
import { sectionKeyPrefix, titleOf } from './derived-step';
import { fitsOneRequest, groupLeaves, type Leaf } from './report-tree';
import { frameTokens, reportRoom, type ReportRoom } from './report-room';

interface Node extends Leaf {
  readonly key: StepKey;
  /** What its result depends on, wherever it was made; a parent's key is made of its inputs' identities. */
  readonly identity: string;
}

const PAGE = 500;
/** Every level is at most half as long as the one below. */
const MAX_LEVELS = 24;

/**
 * The next level of the report tree that is not there yet, from the bottom up, then the sections. A step's key names
 * its inputs by content, so a changed file leaves every other branch as it is; steps that no longer belong are removed.
 */
export async function nextWave(context: JobContext): Promise<Result<NextWave>> {
  const existing = await existingSteps(context);
  if (!existing.ok) return existing;
  const room = reportRoom(context);
  const leaves = await fileNodes(context, room);
  if (!leaves.ok) return leaves;
  const wanted = new Set<StepKey>();
  let nodes: readonly Node[] = leaves.value;
  for (let level = 1; level <= MAX_LEVELS && !fitsOneRequest(nodes, room); level += 1) {
    const grown = await growLevel(context, nodes, level, room, existing.value);
    for (const key of grown.keys) wanted.add(key);
    if (grown.wave) {
      // A section that is still to be written would be written from inputs that are about to be merged.
      const early = strangers(existing.value, wanted, 'section').filter(({ status }) => status !== 'done');
      const remove = [...strangers(existing.value, wanted, 'merge'), ...early];
      return ok({ ...grown.wave, remove, isComplete: false });
    }
    nodes = grown.nodes;
  }
  const sections = await sectionSteps(context, nodes);
  for (const { key } of sections) wanted.add(key);
  const failed = sections.flatMap(({ key }) => failedStep(existing.value.get(key)));
  const add = sections.filter(({ key }) => !existing.value.has(key));
  const remove = [...strangers(existing.value, wanted, 'merge'), ...strangers(existing.value, wanted, 'section')];
  const isComplete = sections.every(({ key }) => existing.value.get(key)?.status === 'done');
  return ok({ add, remove, failed, isComplete });
}

interface GrownLevel {
  readonly keys: readonly StepKey[];
  readonly nodes: readonly Node[];
  /** Set when the level is not finished. */
  readonly wave: Pick<NextWave, 'add' | 'failed'> | null;
}

async function growLevel(
  context: JobContext,
  below: readonly Node[],
  level: number,
  room: ReportRoom,
  existing: ReadonlyMap<StepKey, StepRow>,
): Promise<GrownLevel> {
  const keys: StepKey[] = [];
  const nodes: Node[] = [];
  const add: DerivedStep[] = [];
  const failed: StepRow[] = [];
  const unfinished: StepKey[] = [];
  /** A step over these inputs, planned if it is not there yet, as a node of the level above once it is done. */
  const over = async (inputs: readonly Node[]): Promise<Node | null> => {
    const identity = await identityOf(context, inputs);
    const key = stepKey(`merge/${String(level).padStart(2, '0')}/${identity}`);
    keys.push(key);
    const step = existing.get(key);
    if (!step) add.push({ key, type: 'merge', level, inputs: inputs.map((node) => node.key) });
    if (step?.status === 'failed') failed.push(step);
    if (step?.status !== 'done') unfinished.push(key);
    const [only] = inputs;
    const title = inputs.length === 1 && only ? titleOf(only.key) : key;
    return step?.status === 'done'
      ? {
          key,
          name: inputs.at(-1)?.name ?? key,
          tokens: step.outputTokens,
          frameTokens: frameTokens(context, room, title),
          identity: step.resultKey ? keyAtOrigin(step.resultKey) : identity,
        }
      : null;
  };
  for (const group of groupLeaves(below, room, level)) {
    const inputs = await shortened(group, below.length === 1, room, over);
    if (inputs.some((node) => node === null)) continue;
    const ready = inputs.flatMap((node) => node ?? []);
    const [only] = ready;
    const node = ready.length === 1 && only ? only : await over(ready);
    if (node) nodes.push(node);
  }
  return { keys, nodes, wave: unfinished.length === 0 ? null : { add, failed } };
}

/** A group that fits a request as it is; what of it is too long comes as a step of its own that condenses it. */
async function shortened(
  group: readonly Node[],
  isTop: boolean,
  room: ReportRoom,
  over: (inputs: readonly Node[]) => Promise<Node | null>,
): Promise<readonly (Node | null)[]> {
  if (fitsOneRequest(group, room) || (group.length === 1 && !isTop)) return group;
  const inputs: (Node | null)[] = [];
  for (const node of group) inputs.push(node.tokens > room.inputTokens ? await over([node]) : node);
  return inputs;
}

async function sectionSteps(context: JobContext, nodes: readonly Node[]): Promise<readonly DerivedStep[]> {
  const identity = await identityOf(context, nodes);
  return REPORT_SECTIONS.map((section) => ({
    key: stepKey(`${sectionKeyPrefix(section)}${identity}`),
    type: 'section' as const,
    level: 0,
    inputs: nodes.map((node) => node.key),
  }));
}

async function identityOf(context: JobContext, nodes: readonly Node[]): Promise<string> {
  const digest = await context.digest.text(
    [context.modelIdentity, ...nodes.map((node) => `${node.key}\n${node.identity}`)].join('\n'),
  );
  return digest.slice(0, 24);
}

async function existingSteps(context: JobContext): Promise<Result<ReadonlyMap<StepKey, StepRow>>> {
  const found = new Map<StepKey, StepRow>();
  for (const type of ['merge', 'section'] as const) {
    const steps = await stepsOf(context, type, (step) => [step]);
    if (!steps.ok) return steps;
    for (const step of steps.value) found.set(step.key, step);
  }
  return ok(found);
}

async function fileNodes(context: JobContext, room: ReportRoom): Promise<Result<readonly Node[]>> {
  return stepsOf(context, 'file', (step) =>
    step.status === 'done' && step.resultKey
      ? [
          {
            key: step.key,
            name: step.key,
            tokens: step.outputTokens,
            frameTokens: frameTokens(context, room, titleOf(step.key)),
            identity: keyAtOrigin(step.resultKey),
          },
        ]
      : [],
  );
}

/** What `pick` takes of every step of a type, in key order, read page by page. */
export async function stepsOf<T>(
  context: Pick<JobContext, 'store' | 'task'>,
  type: StepType,
  pick: (step: StepRow) => readonly T[],
): Promise<Result<readonly T[]>> {
  const picked: T[] = [];
  let after: StepKey | null = null;
  for (;;) {
    const page: Result<readonly StepRow[]> = await context.store.stepsOfType(context.task.id, type, after, PAGE);
    if (!page.ok) return page;
    for (const step of page.value) picked.push(...pick(step));
    const last = page.value.at(-1);
    if (!last || page.value.length < PAGE) return ok(picked);
    after = last.key;
  }
}

function strangers(existing: ReadonlyMap<StepKey, StepRow>, wanted: ReadonlySet<StepKey>, type: StepType): StepRow[] {
  return [...existing.values()].filter((step) => step.type === type && !wanted.has(step.key));
}

function failedStep(step: StepRow | undefined): readonly StepRow[] {
  return step?.status === 'failed' ? [step] : [];
}

import { stepKey, type StepKey } from '../core/ids';
import { REPORT_SECTIONS } from '../core/model';
import { ok, type Result } from '../core/result';
import type { StepRow, StepType } from '../core/step';
import type { DerivedStep, JobContext, NextWave } from '../engine/job';
import { budgetFor } from './budget';
import { sectionKeyPrefix } from './derived-step';
import { fitsOneRequest, groupLeaves, type Leaf } from './report-tree';

interface Node extends Leaf {
  readonly key: StepKey;
  /** What its result depends on; a parent's key is made of its inputs' identities. */
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
  const leaves = await fileNodes(context);
  if (!leaves.ok) return leaves;
  const { matterTokens } = budgetFor(
    context.contextTokens,
    context.extractor.estimateTokens(context.task.options.instructions),
  );
  const wanted = new Set<StepKey>();
  let nodes: readonly Node[] = leaves.value;
  for (let level = 1; level <= MAX_LEVELS && !fitsOneRequest(nodes, matterTokens); level += 1) {
    const grown = await growLevel(context, nodes, level, matterTokens, existing.value);
    for (const key of grown.keys) wanted.add(key);
    if (grown.wave) return ok({ ...grown.wave, remove: strangers(existing.value, wanted, 'merge'), isComplete: false });
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
  matterTokens: number,
  existing: ReadonlyMap<StepKey, StepRow>,
): Promise<GrownLevel> {
  const keys: StepKey[] = [];
  const nodes: Node[] = [];
  const add: DerivedStep[] = [];
  const failed: StepRow[] = [];
  let isFinished = true;
  for (const group of groupLeaves(below, matterTokens, level)) {
    const [only] = group;
    if (group.length === 1 && only) {
      nodes.push(only);
      continue;
    }
    const identity = await identityOf(context, group);
    const key = stepKey(`merge/${String(level).padStart(2, '0')}/${identity}`);
    keys.push(key);
    const step = existing.get(key);
    if (!step) add.push({ key, type: 'merge', level, inputs: group.map((node) => node.key) });
    if (step?.status === 'failed') failed.push(step);
    if (step?.status !== 'done') isFinished = false;
    const name = group.at(-1)?.name ?? key;
    nodes.push({ key, name, tokens: step?.outputTokens ?? 0, identity: step?.resultKey ?? identity });
  }
  return { keys, nodes, wave: isFinished ? null : { add, failed } };
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

async function fileNodes(context: JobContext): Promise<Result<readonly Node[]>> {
  return stepsOf(context, 'file', (step) =>
    step.status === 'done' && step.resultKey
      ? [{ key: step.key, name: step.key, tokens: step.outputTokens, identity: step.resultKey }]
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

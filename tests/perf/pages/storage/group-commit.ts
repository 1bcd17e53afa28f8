import type { CommitDraft } from '../../../../src/lib/core/commit';
import { NO_FAULTS } from '../../../../src/lib/core/fault-points';
import { Committer } from '../../../../src/lib/engine/committer';
import { doneDraft, pendingStep } from './bench-steps';
import { clock, journaledStore } from './bench-store';
import { timed } from './figures';

const LANES = 32;
const ROUNDS = 5;

/** Finished steps from 32 lanes that each wait until theirs is saved: through the committer, and in a commit each. */
export async function measureGroups(steps: number): Promise<unknown> {
  const grouped = await journaledStore('grouped');
  const single = await journaledStore('single');
  const { store, task } = grouped;
  const committer = new Committer({ store, clock, faults: NO_FAULTS, task, takeActiveMs: () => 0 });
  let groupedMs = 0;
  let singleMs = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const indices = Array.from({ length: steps / ROUNDS }, (_, offset) => (round * steps) / ROUNDS + offset);
    const ofTask = ({ id }: typeof task) => indices.map((index) => doneDraft(pendingStep(id, index), index));
    groupedMs += await inLanes(ofTask(task), (draft) => committer.submit(draft));
    singleMs += await inLanes(ofTask(single.task), (draft) => single.commit(draft));
  }
  return { groupedMs, singleMs };
}

function inLanes(drafts: readonly CommitDraft[], save: (draft: CommitDraft) => Promise<unknown>): Promise<number> {
  const left = drafts.values();
  const lane = async () => {
    for (const draft of left) await save(draft);
  };
  return timed(() => Promise.all(Array.from({ length: LANES }, lane)));
}

/** Composition root of the agent worker: makes the adapters, hands them to the engine, answers the page. */
import { expose } from 'comlink';
import type { AgentApi } from '../lib/bridge/agent-api';
import { stopWorker } from '../lib/bridge/worker-stop';
import type { Endings } from '../lib/core/endings';
import type { EndpointRow } from '../lib/core/endpoint';
import type { FolderRow } from '../lib/core/folder';
import { Breakers } from '../lib/engine/breaker';
import type { OwnerMessage } from '../lib/engine/owner-channel';
import { Supervisor } from '../lib/engine/supervisor';
import { createExtractor } from '../lib/extract/extractor';
import { createFileFilter } from '../lib/folders/file-filter';
import { createFolderOpener } from '../lib/folders/folder-opener';
import { deleteSnapshot } from '../lib/folders/snapshot';
import { batchJob } from '../lib/jobs/batch';
import { createBuiltInModel } from '../lib/llm/built-in/model-built-in';
import type { TakenMessage } from '../lib/llm/endpoint-lines';
import { createModelOpener } from '../lib/llm/model-opener';
import { SessionKeys, type KeyMessage } from '../lib/llm/session-keys';
import { browserClock } from '../lib/platform/clock';
import { createDigest } from '../lib/platform/digest-webcrypto';
import { availableLocks } from '../lib/platform/locks-web';
import { networkRelay } from '../lib/platform/network-relay';
import { storageUse } from '../lib/platform/persistence';
import { broadcastTabs } from '../lib/platform/tab-channel';
import { StorageGovernor } from '../lib/storage/governor';
import { openStorage } from '../lib/storage/open-storage';
import { sweepExpired } from '../lib/storage/retention';
import { ArmedFaults } from './armed-faults';
import { endpointCommands } from './endpoint-commands';
import { EndpointLearning } from './endpoint-learning';
import { folderCommands } from './folder-commands';
import { forgetHalfCopies } from './half-copies';
import { importCommand } from './import-command';
import { LiveTexts } from './live-text';
import { taskCommands } from './task-commands';

const SWEEP_EVERY_MS = 60 * 60_000;
/** A sweep reads the names of all results: whoever has just opened the app is not to wait behind it. */
const FIRST_SWEEP_MS = 60_000;
const LOOK_AT_ROOM_EVERY_MS = 60_000;

const clock = browserClock();
const network = networkRelay();
const locks = availableLocks();
const opfsRoot = () => navigator.storage.getDirectory();
const { checkpoints: store, profiles, sweepMemory } = openStorage({ locks, clock, opfsRoot });
const governor = new StorageGovernor({ store, clock, estimate: storageUse });
const extractor = createExtractor();
const sessionKeys = new SessionKeys(broadcastTabs<KeyMessage>('talaria/keys'));
const liveTexts = new LiveTexts();
const folders = createFolderOpener({ sampleBaseUrl: new URL('/sample/', self.location.origin).href, opfsRoot });
const faults = new ArmedFaults((point) => stopWorker(`a fault was asked for ${point}`));
const estimateTokens = (text: string) => extractor.estimateTokens(text);
const builtIn = createBuiltInModel({ estimateTokens, monotonicMs: () => clock.monotonicMs() });
const onChanged = () => supervisor.wake();
const learning = new EndpointLearning({ profiles, sessionKeys, clock, network, onLearned: onChanged });
const onOpened = (row: EndpointRow) => learning.look(row);
const taken = broadcastTabs<TakenMessage>('talaria/taken');
const models = createModelOpener({ profiles, sessionKeys, builtIn, clock, network, estimateTokens, onOpened, taken });

const breakers = new Breakers(profiles, clock);
const owners = broadcastTabs<OwnerMessage>('talaria/owners');

let endings: Endings = { leftMs: null, diedMs: null };

const supervisor = new Supervisor(
  {
    store,
    folders,
    models,
    extractor,
    digest: createDigest(),
    clock,
    breakers,
    random: Math.random,
    liveText: liveTexts.tell,
    endings: () => endings,
    faults,
    doers: new Map(),
    job: () => batchJob,
    fileFilter: (options) => {
      const filter = createFileFilter(options);
      return (path) => filter.verdict(path);
    },
  },
  locks,
  owners,
);

sessionKeys.onHeard = onChanged;
breakers.onClosed(() => owners.send({ what: 'wake' }));
network.onChange(() => {
  if (network.online) supervisor.wake();
});

async function forgetFolders(removed: readonly FolderRow[]): Promise<void> {
  for (const folder of removed) if (folder.kind === 'snapshot') await deleteSnapshot(await opfsRoot(), folder.id);
}

async function finishRemovals(): Promise<void> {
  const finished = await store.tidy(0);
  if (finished.ok) await forgetFolders(finished.value.removedFolders);
}

async function sweep(): Promise<void> {
  const settings = await profiles.settings();
  if (!settings.ok) return;
  const swept = await sweepExpired({
    store,
    memory: sweepMemory,
    exclusively: (id, work) => supervisor.exclusively(id, work),
    retentionDays: settings.value.retentionDays,
    nowMs: clock.now(),
  });
  if (swept.ok) await forgetFolders(swept.value.removedFolders);
}

const api: AgentApi = {
  ping: (told) => {
    endings = told;
    return Promise.resolve();
  },
  watch: () => supervisor.watch(),
  networkChanged: (online) => Promise.resolve(network.networkChanged(online)),
  wake: () => Promise.resolve(supervisor.wake()),
  flushPartials: () => Promise.resolve(supervisor.flushPartials()),
  onLiveText: (listener) => Promise.resolve(liveTexts.listen(listener)),
  pullPlug: (id) => Promise.resolve(supervisor.isRunning(id) && faults.armSomewhere(id, Math.random())),
  armFault: (order) => Promise.resolve(faults.arm(order)),
  saveSettings: (patch) => profiles.putSettings(patch),
  ...taskCommands({ store, profiles, clock, supervisor, faults, forgetFolders, sampleName: 'sample' }),
  ...importCommand({ store, clock }),
  ...endpointCommands({ store, profiles, sessionKeys, clock, network, breakers, learning, onChanged }),
  ...folderCommands({ store, clock, locks, folders, opfsRoot }),
};

expose(api);
void finishRemovals();
void forgetHalfCopies({ store, locks, opfsRoot });
setTimeout(() => void sweep(), FIRST_SWEEP_MS);
setInterval(() => void sweep(), SWEEP_EVERY_MS);
setInterval(() => void governor.look(), LOOK_AT_ROOM_EVERY_MS);

/** The app's stores in a worker, for tests: only there can a browser write files of its own file system at once. */
import { expose } from 'comlink';
import { availableLocks } from '../../src/lib/platform/locks-web';
import { browserClock } from '../../src/lib/platform/clock';
import { openStorage } from '../../src/lib/storage/open-storage';

/** The worker's name is that of its database and of its folder. */
const { name } = self;
const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
const { checkpoints } = openStorage({ name, locks: availableLocks(), clock: browserClock(), opfsRoot: folder });

expose(checkpoints);

import { countWrittenBytes } from './written-bytes';

/** Imported before the worker's own code, in the worker: tells the page how many bytes it has written so far. */
const written = countWrittenBytes();
const channel = new BroadcastChannel('bench-writes');
channel.onmessage = ({ data }) => {
  if (data === 'ask') channel.postMessage(written.total());
};

/** A turn of the event loop without the few milliseconds that a browser makes nested timers wait. */
function turnOfBrowser(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

function turnOfNode(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Everything that waits neither for a timer nor for another thread has run. */
export async function nextTurns(): Promise<void> {
  const turn = typeof setImmediate === 'function' ? turnOfNode : turnOfBrowser;
  for (let turns = 0; turns < 4; turns += 1) await turn();
}

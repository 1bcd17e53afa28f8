/** Everything that waits for no timer has run. In a browser, with a moment for what its threads answer each other. */
export async function nextTurns(): Promise<void> {
  const turn = typeof setImmediate === 'function' ? setImmediate : setTimeout;
  for (let turns = 0; turns < 4; turns += 1) await new Promise<void>((resolve) => turn(resolve));
}

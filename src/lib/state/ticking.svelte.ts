/** The wall clock for showing, in steps of `stepMs`. Call it while a component is set up; it stops with the component. */
export function ticking(stepMs = 1_000): { readonly nowMs: number } {
  let nowMs = $state(Date.now());
  $effect(() => {
    const timer = setInterval(() => (nowMs = Date.now()), stepMs);
    return () => clearInterval(timer);
  });
  return {
    get nowMs() {
      return nowMs;
    },
  };
}

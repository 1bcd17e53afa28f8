/** The wall clock for texts such as "in 3 days": looked at once a minute while a component shows it. */
export function liveNow(everyMs = 60_000): { readonly ms: number } {
  let ms = $state(Date.now());
  $effect(() => {
    const timer = setInterval(() => (ms = Date.now()), everyMs);
    return () => clearInterval(timer);
  });
  return {
    get ms() {
      return ms;
    },
  };
}

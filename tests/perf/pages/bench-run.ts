/** How a measuring page and the program that started it talk: over HTTP only, so that nothing is attached to the page. */

export interface BenchQuery {
  /** Base URL of the model server. */
  readonly endpoint: string;
  readonly files: number;
  readonly stage: string;
}

export function benchQuery(): BenchQuery {
  const query = new URLSearchParams(location.search);
  return {
    endpoint: query.get('endpoint') ?? '',
    files: Number(query.get('files') ?? 0),
    stage: query.get('stage') ?? '',
  };
}

/** Runs a measurement and hands its result, or what went wrong, to the host. */
export function report(measure: () => Promise<unknown>): void {
  measure().then(
    (value) => post('/result', { value }),
    (error: unknown) =>
      post('/result', { error: error instanceof Error ? String(error.stack) : JSON.stringify(error) }),
  );
}

/** Notes a moment on the host's clock. */
export async function mark(name: string): Promise<void> {
  await post('/mark', { name });
}

async function post(path: string, body: unknown): Promise<void> {
  await fetch(path, { method: 'POST', body: JSON.stringify(body) });
}

/** Asks until it is so; the question must be cheap. */
export async function until(isSo: () => Promise<boolean>, everyMs = 50): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, everyMs));
}

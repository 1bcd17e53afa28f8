/** Megabytes that the script heaps of this page's workers hold; needs an isolated page. */
export async function workerHeapMb(): Promise<number> {
  const measured = await performance.measureUserAgentSpecificMemory();
  const workers = measured.breakdown.filter(({ attribution }) =>
    attribution.some(({ scope }) => scope.startsWith('DedicatedWorker')),
  );
  return workers.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
}

declare global {
  interface Performance {
    measureUserAgentSpecificMemory(): Promise<{
      breakdown: { bytes: number; attribution: { scope: string }[] }[];
    }>;
  }
}

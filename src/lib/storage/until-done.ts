import type { Result } from '../core/result';

/** Something to be done once and waited for by all who ask; after it failed or threw, the next who asks tries it again. */
export function untilDone(work: () => Promise<Result<void>>): () => Promise<Result<void>> {
  let underWay: Promise<Result<void>> | null = null;
  return () => {
    if (underWay) return underWay;
    const again = () => (underWay = null);
    underWay = work();
    void underWay.then((done) => done.ok || again(), again);
    return underWay;
  };
}

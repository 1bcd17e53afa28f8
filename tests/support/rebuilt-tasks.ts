import type { Page } from '@playwright/test';

/** How many tasks say that they were rebuilt. */
export function rebuiltTasks(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('talaria');
        opening.onerror = () => reject(new Error('not opened'));
        opening.onsuccess = () => {
          const reading = opening.result.transaction('tasks').objectStore('tasks').getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result.filter(({ rebuiltMs }: { rebuiltMs?: number }) => rebuiltMs !== undefined).length);
          };
        };
      }),
  );
}

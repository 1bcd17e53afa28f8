import type { Page } from '@playwright/test';

/** The rows of one table of the app's database, read by the page itself, without what cannot leave the browser. */
export async function storedRows<Row>(page: Page, table: string): Promise<readonly Row[]> {
  const rows = await page.evaluate(
    (name) =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('talaria');
        opening.onerror = () => reject(new Error('not opened'));
        opening.onsuccess = () => {
          const reading = opening.result.transaction(name).objectStore(name).getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result);
          };
        };
      }),
    table,
  );
  return rows as Row[];
}

/** How many tasks say that they were rebuilt. */
export async function rebuiltTasks(page: Page): Promise<number> {
  const tasks = await storedRows<{ rebuiltMs?: number }>(page, 'tasks');
  return tasks.filter(({ rebuiltMs }) => rebuiltMs !== undefined).length;
}

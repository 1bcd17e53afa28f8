/** A number as it is shown, before the word for what it counts. */
export function counted(count: number, shown: string, one: string, many = `${one}s`): string {
  return `${shown} ${count === 1 ? one : many}`;
}

export const files = (count: number, shown: string) => counted(count, shown, 'file');
export const tokens = (count: number, shown: string) => counted(count, shown, 'token');
export const requests = (count: number, shown: string) => counted(count, shown, 'request');

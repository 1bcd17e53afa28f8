export function oldestFirst<T extends { readonly createdMs: number; readonly id: string }>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1));
}

export interface StorageUse {
  readonly usedBytes: number;
  readonly quotaBytes: number;
}

/** Whether the browser promised not to clear this origin by itself; null when it cannot tell. */
export async function isPersisted(
  storage: StorageManager | undefined = globalThis.navigator?.storage,
): Promise<boolean | null> {
  try {
    return (await storage?.persisted?.()) ?? null;
  } catch {
    return null;
  }
}

/** Asks for that promise. Some browsers ask the person, others decide by how much the app is used. */
export async function askToPersist(
  storage: StorageManager | undefined = globalThis.navigator?.storage,
): Promise<boolean> {
  try {
    return (await storage?.persist?.()) ?? false;
  } catch {
    return false;
  }
}

/** The browser's estimate, which it rounds on purpose; null when it gives none. */
export async function storageUse(
  storage: StorageManager | undefined = globalThis.navigator?.storage,
): Promise<StorageUse | null> {
  try {
    const { usage, quota } = (await storage?.estimate?.()) ?? {};
    return usage === undefined || quota === undefined ? null : { usedBytes: usage, quotaBytes: quota };
  } catch {
    return null;
  }
}

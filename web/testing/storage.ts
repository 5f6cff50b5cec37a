/** A tab's storage in memory, for tests. */
import { createTabStorage, type TabStorage } from '../memory/tab-storage.ts';

/** @returns a replacement for `sessionStorage` in a test. */
export const storageWith = (initialEntries: [string, string][] = []) => {
  const entries = new Map(initialEntries);
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
};

/** @returns the storage of a new tab. */
export const emptyStorage = (): TabStorage => {
  const storage = storageWith();
  return createTabStorage(() => storage);
};

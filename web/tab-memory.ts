/** What this tab remembers across reloads, as JSON by key. */

export type TabMemory = {
  /** What was written last, taken at its word; undefined when there is nothing, or it cannot be read. */
  read: <Value>(key: string) => Value | undefined;
  /** Answers whether it outlives the page, which it does not where the browser blocks its storage. */
  write: (key: string, value: unknown) => boolean;
  remove: (key: string) => void;
};

/** A memory in the storage that `storage` hands out; to ask for one that is blocked throws, so each use asks anew. */
export const tabMemoryIn = (
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): TabMemory => {
  const untilThePageGoes = new Map<string, string>();
  return {
    read: (key) => {
      try {
        return JSON.parse(untilThePageGoes.get(key) ?? storage().getItem(key) ?? 'null') ?? undefined;
      } catch {
        return undefined;
      }
    },
    write: (key, value) => {
      const json = JSON.stringify(value);
      try {
        storage().setItem(key, json);
        untilThePageGoes.delete(key);
        return true;
      } catch {
        untilThePageGoes.set(key, json);
        return false;
      }
    },
    remove: (key) => {
      untilThePageGoes.delete(key);
      try {
        storage().removeItem(key);
      } catch {
        // Where nothing could be written there is nothing to remove.
      }
    },
  };
};

export const tabMemory = tabMemoryIn(() => window.sessionStorage);

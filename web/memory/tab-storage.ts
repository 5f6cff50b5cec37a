/** Values that this tab stores across reloads, as JSON by key, in `sessionStorage`. */

import { attempt, tabStore } from './platform.ts';

/**
 * @param storage is called for each access, because it throws in a browser that blocks its storage. Values that cannot be stored stay in
 * memory until the page is left.
 */
export const createTabStorage = (storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) => {
  const unstored = new Map<string, string>();
  return {
    /** @returns the last written value, unchecked; undefined if there is none or it cannot be parsed. */
    read: <Value>(key: string): Value | undefined =>
      attempt(() => JSON.parse(unstored.get(key) ?? storage().getItem(key) ?? 'null')) ?? undefined,
    /** @returns whether the value survives a reload; it does not if the browser blocks its storage. */
    write: (key: string, value: unknown): boolean => {
      const json = JSON.stringify(value);
      try {
        storage().setItem(key, json);
        unstored.delete(key);
        return true;
      } catch {
        unstored.set(key, json);
        return false;
      }
    },
    remove: (key: string): void => {
      unstored.delete(key);
      // A storage that throws is empty.
      attempt(() => storage().removeItem(key));
    },
  };
};

export const tabStorage = createTabStorage(tabStore);

/** A value that belongs to one customer: the tab's account may change, also by a sign-in in another tab. */
export const storedFor = <Value>(email: string, key: string) => {
  const ownKey = `${key} ${email}`;
  return {
    read: () => tabStorage.read<Value>(ownKey),
    write: (value: Value) => tabStorage.write(ownKey, value),
    remove: () => tabStorage.remove(ownKey),
  };
};

/** Values that this tab stores across reloads, as JSON by key, in `sessionStorage`. */

import { attempt, tabStore } from './platform.ts';

type TabKey =
  | 'shelf-grows'
  | 'delivery'
  | `book:${string}`
  | 'new-book-attempt'
  | 'reloaded-for-screen'
  | `checkout:${string}`;

/**
 * @param storage is called for each access, because it throws in a browser that blocks its storage. Values that cannot be stored stay in
 * memory until the page is left.
 */
export const createTabStorage = <Key extends string = string>(
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
) => {
  const unstored = new Map<string, string>();
  return {
    /** @returns the last written value, unchecked; undefined if there is none or it cannot be parsed. */
    read: <Value>(key: Key): Value | undefined =>
      attempt(() => JSON.parse(unstored.get(key) ?? storage().getItem(key) ?? 'null')) ?? undefined,
    /** @returns whether the value survives a reload; it does not if the browser blocks its storage. */
    write: (key: Key, value: unknown): boolean => {
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
    remove: (key: Key): void => {
      unstored.delete(key);
      // A storage that throws is empty.
      attempt(() => storage().removeItem(key));
    },
  };
};

export type TabStorage = ReturnType<typeof createTabStorage<TabKey>>;

const ofTab = createTabStorage(tabStore);

export const tabStorage: TabStorage = ofTab;

/** The part of the tab's storage that belongs to one customer: the tab's account may change, also by a sign-in in another tab. */
export const storageOf = (email: string): TabStorage => {
  const keyOf = (key: TabKey) => `${key} ${email}`;
  return {
    read: (key) => ofTab.read(keyOf(key)),
    write: (key, value) => ofTab.write(keyOf(key), value),
    remove: (key) => ofTab.remove(keyOf(key)),
  };
};

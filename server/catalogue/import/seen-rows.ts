/** Notices rows of one file that mean the same book. */

import { hash } from 'node:crypto';

/** Lines by the hashes of texts. */
export type LineTable = {
  /** @returns the number that is stored for a text; 0 for none. */
  find(text: string): number;
  /** @param value from 1 to 2³² - 1. */
  add(text: string, value: number): void;
};

const initialSlots = 1 << 12;

/**
 * Makes a table of numbers by texts: 12 bytes a slot, at most three quarters of them full, so 25 MB for a million texts. It
 * keeps 64 bits of the texts' hashes: among a million, two different texts have the same ones with a chance of 1 in 30
 * million.
 */
export function openLineTable(): LineTable {
  let slots = initialSlots;
  let keys = new Uint32Array(slots * 2);
  let values = new Uint32Array(slots);
  let count = 0;

  /** @returns the slot of a key, or the free one where it belongs. */
  const slotOf = (high: number, low: number): number => {
    let slot = low & (slots - 1);
    while (values[slot] !== 0 && (keys[slot * 2] !== high || keys[slot * 2 + 1] !== low)) {
      slot = (slot + 1) & (slots - 1);
    }
    return slot;
  };
  const put = (high: number, low: number, value: number) => {
    const slot = slotOf(high, low);
    keys[slot * 2] = high;
    keys[slot * 2 + 1] = low;
    values[slot] = value;
  };
  const grow = () => {
    const [oldKeys, oldValues] = [keys, values];
    slots *= 2;
    keys = new Uint32Array(slots * 2);
    values = new Uint32Array(slots);
    for (const [slot, value] of oldValues.entries()) {
      if (value !== 0) put(oldKeys[slot * 2] ?? 0, oldKeys[slot * 2 + 1] ?? 0, value);
    }
  };
  const keyOf = (text: string) => {
    const digest = hash('sha256', text, 'buffer');
    return [digest.readUInt32LE(0), digest.readUInt32LE(4)] as const;
  };
  return {
    find: (text) => values[slotOf(...keyOf(text))] ?? 0,
    add(text, value) {
      if (count >= slots * 0.75) grow();
      count += 1;
      put(...keyOf(text), value);
    },
  };
}

/** The rows of a file that were read already. */
export type SeenRows = {
  /**
   * Records a row by what it names the book with.
   * @returns the line of an earlier row that names the same book; undefined for none.
   */
  addRow(row: { line: number; id: string | undefined; title: string; author: string }): number | undefined;
  /** Records the book that a row changes. @returns the line of an earlier row that changes it; undefined for none. */
  addBook(id: string, line: number): number | undefined;
};

/** With an id, rows may share title and author: the store may have several books of that name. */
export function openSeenRows(): SeenRows {
  const books = openLineTable();
  const titles = openLineTable();
  const hadIds = 2 ** 31;
  return {
    addRow({ line, id, title, author }) {
      const name = JSON.stringify([title, author]);
      const earlier = titles.find(name);
      if (earlier === 0) titles.add(name, id === undefined ? line : line + hadIds);
      if (earlier === 0 || (id !== undefined && earlier > hadIds)) return undefined;
      return earlier > hadIds ? earlier - hadIds : earlier;
    },
    addBook(id, line) {
      const earlier = books.find(id);
      if (earlier === 0) books.add(id, line);
      return earlier || undefined;
    },
  };
}

/** Notices rows of one file that mean the same book. */

import { hash } from 'node:crypto';
import type { ImportRow } from './check-row.ts';
import { nameOf } from './write-rows.ts';

/** Lines by the hashes of texts. */
type LineTable = {
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
function openLineTable(): LineTable {
  // Each has twice the slots of the one before. To move a million texts into a larger one would hold up visitors.
  const parts = [openPart(initialSlots)];
  const keyOf = (text: string): Key => {
    const digest = hash('sha256', text, 'buffer');
    return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
  };
  return {
    find(text) {
      const key = keyOf(text);
      for (const { find } of parts) {
        const value = find(key);
        if (value !== 0) return value;
      }
      return 0;
    },
    add(text, value) {
      const key = keyOf(text);
      if (parts.at(-1)?.add(key, value)) return;
      const larger = openPart(initialSlots * 2 ** parts.length);
      larger.add(key, value);
      parts.push(larger);
    },
  };
}

type Key = readonly [high: number, low: number];

function openPart(slots: number) {
  const keys = new Uint32Array(slots * 2);
  const values = new Uint32Array(slots);
  let count = 0;

  /** @returns the slot of a key, or the free one where it belongs. */
  const slotOf = ([high, low]: Key): number => {
    let slot = low & (slots - 1);
    while (values[slot] !== 0 && (keys[slot * 2] !== high || keys[slot * 2 + 1] !== low)) {
      slot = (slot + 1) & (slots - 1);
    }
    return slot;
  };
  return {
    find: (key: Key): number => values[slotOf(key)] ?? 0,
    /** @returns false when it is full. */
    add(key: Key, value: number): boolean {
      if (count >= slots * 0.75) return false;
      count += 1;
      const slot = slotOf(key);
      keys.set(key, slot * 2);
      values[slot] = value;
      return true;
    },
  };
}

/** The rows of a file that were read already. */
export type SeenRows = {
  /**
   * Records a row by what it names the book with.
   * @returns the line of an earlier row that names the same book; undefined for none.
   */
  addRow(row: ImportRow): number | undefined;
  /** Records the ISBN of a row. @returns true if an earlier row has it. */
  addIsbn(row: ImportRow): boolean;
  /** Records the book that a row changes. @returns the line of an earlier row that changes it; undefined for none. */
  addBook(id: string, line: number): number | undefined;
};

/** With an id, rows may share title and author: the store may have several books of that name. */
export function openSeenRows(): SeenRows {
  const books = openLineTable();
  const titles = openLineTable();
  const isbns = openLineTable();
  const hadIds = 2 ** 31;
  return {
    addRow({ line, id, details }) {
      const name = nameOf(details);
      const earlier = titles.find(name);
      if (earlier === 0) titles.add(name, id === undefined ? line : line + hadIds);
      if (earlier === 0 || (id !== undefined && earlier > hadIds)) return undefined;
      return earlier > hadIds ? earlier - hadIds : earlier;
    },
    addIsbn({ line, details: { isbn } }) {
      if (!isbn) return false;
      if (isbns.find(isbn) !== 0) return true;
      isbns.add(isbn, line);
      return false;
    },
    addBook(id, line) {
      const earlier = books.find(id);
      if (earlier === 0) books.add(id, line);
      return earlier || undefined;
    },
  };
}

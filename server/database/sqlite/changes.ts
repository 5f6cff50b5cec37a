/** Hears of changes of the catalogue by any process, on SQLite. */

import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * Counts the changes of the books in a SQLite file, by all processes and by this one; triggers record them (migration
 * 0003). The only read of the file on this thread: a request must know the number before the cache can respond.
 * @returns `count`: NaN while the file cannot be read.
 */
export function countChanges(file: string): { count(): number; close(): void } {
  // Without a timeout: nothing here may wait.
  const sqlite = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  let counter: StatementSync | undefined;
  let changes = 0;
  let isChecked = false;
  const endTurn = () => {
    isChecked = false;
  };
  return {
    count() {
      // Once per turn of the event loop: requests of the same turn arrived at the same time.
      if (isChecked) return changes;
      try {
        // Prepared only now: the table may have been created since.
        counter ??= prepareCounter(sqlite);
        [changes = Number.NaN] = counter.get() as unknown as number[];
      } catch {
        // The query that follows reports why the file cannot be read.
        return Number.NaN;
      }
      isChecked = true;
      setImmediate(endTurn);
      return changes;
    },
    close() {
      if (sqlite.isOpen) sqlite.close();
    },
  };
}

const prepareCounter = (sqlite: DatabaseSync): StatementSync => {
  const counter = sqlite.prepare('select count from catalogue_changes');
  counter.setReturnArrays(true);
  return counter;
};

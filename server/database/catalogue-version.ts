/**
 * The version of the catalogue: a number that grows with every change of the books by any process. A response that was
 * loaded under one version is stale under another (http/response-cache.ts).
 */

import { DatabaseSync, type StatementSync } from 'node:sqlite';

export type CatalogueVersion = {
  /**
   * The sum of local changes and of those that the database announces or counts; NaN, which equals nothing, while the
   * latter are unknown. Cheap enough for each request. Read it before the data that it stands for.
   */
  version(): number;
  /** Changes that this process has committed. */
  localChanges(): number;
  /** Changes that the database announces or counts, this process's included; NaN while unknown. */
  databaseChanges(): number;
  /** Call it after each commit that changes the books. */
  recordLocalChange(): void;
};

/** @param databaseChanges how many changes the database has announced or counted; NaN while that is unknown. */
export function createCatalogueVersion(databaseChanges: () => number): CatalogueVersion {
  let localChanges = 0;
  return {
    // Both numbers only grow, so their sum changes when either does.
    version: () => localChanges + databaseChanges(),
    localChanges: () => localChanges,
    databaseChanges,
    recordLocalChange() {
      localChanges += 1;
    },
  };
}

/**
 * Counts the changes of the books in a SQLite file, by all processes and by this one; triggers record them (migration
 * 0003). The only read of the file on this thread: a request must know the number before the cache can respond.
 * @returns `count`: NaN while the file cannot be read.
 */
export function countSqliteChanges(file: string): { count(): number; close(): void } {
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

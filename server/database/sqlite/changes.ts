/** Counts of changes by any process, on SQLite: triggers record them (migrations 0003 and 0021). */

import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** The tables with one row, which has the count; and the number of triggers that write it. */
const triggersOf = { catalogue_changes: 4 };
type ChangeTable = keyof typeof triggersOf;

/**
 * Reads the counts in a SQLite file. These are the only reads of the file on this thread: a request must know a number before a cache
 * can respond.
 * @returns `countOf`: a function that returns the count in a table, or NaN while the file cannot be read, or lacks a trigger.
 */
export function openChangeCounts(file: string): {
  countOf(table: ChangeTable): () => number;
  close(): void;
} {
  // Without a timeout: nothing here may wait.
  const sqlite = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  return {
    countOf(table) {
      let counter: StatementSync | undefined;
      let changes = 0;
      let isChecked = false;
      const endTurn = () => {
        isChecked = false;
      };
      return () => {
        // Once per turn of the event loop: requests of the same turn arrived at the same time.
        if (isChecked) return changes;
        try {
          // Prepared only now: the table may have been created since.
          counter ??= prepareCounter(sqlite, table);
          [changes = Number.NaN] = counter.get() as unknown as number[];
        } catch {
          // The query that follows reports why the file cannot be read.
          return Number.NaN;
        }
        isChecked = true;
        setImmediate(endTurn);
        return changes;
      };
    },
    close() {
      if (sqlite.isOpen) sqlite.close();
    },
  };
}

function prepareCounter(sqlite: DatabaseSync, table: ChangeTable): StatementSync {
  const { triggers } =
    sqlite
      .prepare("select count(*) as triggers from sqlite_schema where type = 'trigger' and sql like ?")
      .get(`%update ${table} %`) ?? {};
  // In a damaged file the count could stay as it is, whatever changes.
  if (Number(triggers) < triggersOf[table]) throw new Error(`changes are not counted in ${table}`);
  const counter = sqlite.prepare(`select count from ${table}`);
  counter.setReturnArrays(true);
  return counter;
}

import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * Triggers count the changes of the catalogue by any process (migrations 0003 and 0021). This is the only read of the file on this thread: a
 * request must know the number before a cache can respond. It is NaN while it cannot be read.
 */
export function openChangeCount(file: string): { read(): number; close(): void } {
  const sqlite = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  let counter: StatementSync | undefined;
  let changes = 0;
  let isRead = false;
  const endTurn = () => {
    isRead = false;
  };
  return {
    read() {
      // Once per turn of the event loop: requests of the same turn arrived at the same time.
      if (isRead) return changes;
      try {
        // Prepared only now: the table may have been created since.
        counter ??= sqlite.prepare('select count from catalogue_changes');
        changes = Number(counter.get()?.['count']);
      } catch {
        // The query that follows reports why the file cannot be read.
        return Number.NaN;
      }
      isRead = true;
      setImmediate(endTurn);
      return changes;
    },
    close() {
      if (sqlite.isOpen) sqlite.close();
    },
  };
}

/** Tells one observer of each statement: what kind it is, how long it took, and how it failed. */

import type { LogEvent } from 'kysely';

/** `seconds`: on SQLite with the wait for a thread, on PostgreSQL without the wait for a connection. */
export type StatementObserver = (kind: StatementKind, seconds: number, error?: unknown) => void;
type StatementKind = 'select' | 'insert' | 'update' | 'delete' | 'other';

const kinds: Readonly<Record<string, StatementKind>> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
};

type StatementLog = {
  /** For the option `log` of Kysely. */
  log(event: LogEvent): void;
  /** Until then nobody is told. */
  observe(observer: StatementObserver): void;
};

export function openStatementLog(): StatementLog {
  let observer: StatementObserver = () => {};
  return {
    log(event) {
      const error = event.level === 'error' ? event.error : undefined;
      observer(kinds[event.query.query.kind] ?? 'other', event.queryDurationMillis / 1000, error);
    },
    observe(next) {
      observer = next;
    },
  };
}

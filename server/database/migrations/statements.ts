import { type Kysely, PostgresAdapter, sql } from 'kysely';

const sqlite = {
  isPostgres: false,
  /** Text that is compared byte by byte on both engines, whatever the database's locale. */
  text: 'text',
  bytes: 'blob',
  counted: 'integer',
  /** This suffix makes a table of SQLite store its rows in the index of its primary key. */
  withoutRowid: 'without rowid',
};
const postgres: typeof sqlite = {
  ...{ isPostgres: true, text: 'text collate "C"', bytes: 'bytea', counted: 'bigserial', withoutRowid: '' },
};

/** @returns the `up` of a migration. Do not change its output: a test pins the statements of released migrations (docs/decisions/0022). */
export const statements =
  (statementsOn: (engine: typeof sqlite) => readonly string[]) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const engine = db.getExecutor().adapter instanceof PostgresAdapter ? postgres : sqlite;
    for (const statement of statementsOn(engine)) await sql.raw(statement).execute(db);
  };

export const addColumns = (table: string, columns: string): string[] =>
  columns.split(', ').map((column) => `alter table ${table} add column ${column}`);

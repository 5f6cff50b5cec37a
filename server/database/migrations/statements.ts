import { type Kysely, PostgresAdapter, sql } from 'kysely';

type Engine = {
  isPostgres: boolean;
  /** Text that is compared byte by byte on both engines, whatever the database's locale. */
  text: string;
  bytes: string;
  /** A number that the database counts up, for a primary key. */
  counted: string;
  /** Ends a table on SQLite whose primary key is then the table itself. */
  withoutRowid: string;
};

const postgres = { isPostgres: true, text: 'text collate "C"', bytes: 'bytea', counted: 'bigserial' };
const sqlite = { isPostgres: false, text: 'text', bytes: 'blob', counted: 'integer' };

/** @returns the `up` of a migration. Frozen as the migrations are: a test pins what they execute (docs/decisions/0022). */
export const statements =
  (statementsOn: (engine: Engine) => readonly string[]) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    const engine = isPostgres
      ? { ...postgres, withoutRowid: '' }
      : { ...sqlite, withoutRowid: 'without rowid' };
    for (const statement of statementsOn(engine)) await sql.raw(statement).execute(db);
  };

export const addColumns = (table: string, columns: string): string[] =>
  columns.split(', ').map((column) => `alter table ${table} add column ${column}`);

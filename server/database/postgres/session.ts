import { sql } from 'kysely';
import type pg from 'pg';
import { MigrationError } from '../migrate.ts';
import type { Db } from '../tables.ts';

/** Settings of each session: a role or a database may have other defaults, which would change the meaning of the store's statements. */
const statementSettings = {
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  // With this setting searches would miss some books.
  gin_fuzzy_search_limit: '0',
};

/** Sets the session up with a query: a pooler in session mode refuses such parameters of a connection. @param statementTimeoutMs 0: no limit. */
export async function setUpSession(client: pg.ClientBase, statementTimeoutMs: number): Promise<void> {
  const settings = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    // At a stricter level simultaneous orders of one book would fail.
    default_transaction_isolation: 'read committed',
    // JIT would compile a statement at each run, which takes longer than the store's statements do.
    jit: 'off',
    ...statementSettings,
  };
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  // An order that was acknowledged survives a crash of the server.
  calls.push(
    "case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'on', false) end",
  );
  await client.query(`select ${calls.join(', ')}`);
}

export async function checkDefaults(db: Db): Promise<void> {
  // Each other value of `synchronous_commit` than `off` has a commit on the disk before it is acknowledged.
  const { rows } = await sql<{ name: string; value: string }>`
    select name, setting as value from pg_settings
    where name = any(${Object.keys(statementSettings)}) or (name = 'synchronous_commit' and setting = 'off')
  `.execute(db);
  const needed: Readonly<Record<string, string>> = { ...statementSettings, synchronous_commit: 'on' };
  for (const { name, value } of rows) {
    if (value === needed[name]) continue;
    throw new MigrationError(
      `has ${name}=${value} by default, which the store cannot change behind a pooler: set it to ${needed[name]} for the role or the database.`,
    );
  }
}

export async function checkServer(db: Db) {
  const { rows } = await sql<{ encoding: string; role: string; isSuperuser: boolean; isReadOnly: boolean }>`
    select pg_encoding_to_char(encoding) as encoding, rolname as role, rolsuper as "isSuperuser",
      current_setting('transaction_read_only') = 'on' as "isReadOnly"
    from pg_database, pg_roles where datname = current_database() and rolname = current_user
  `.execute(db);
  const { encoding = '', role = '', isSuperuser = false, isReadOnly = false } = rows[0] ?? {};
  // SQL_ASCII converts nothing: its bytes are the store's own text in UTF-8.
  if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII') {
    throw new MigrationError(
      `has the encoding ${encoding}, and the store needs UTF8: make a database with UTF8, and restore a backup of this one there.`,
    );
  }
  const warning = `DATABASE_URL lets the store in as "${role}", a superuser, which may run programs on the database’s machine: docs/database.md says how to make an ordinary role.`;
  return { isSuperuser, isReadOnly, warning: isSuperuser ? warning : undefined };
}

import type pg from 'pg';

/** Defaults of a role or a database may be others, with which the store's statements would mean something else. */
export const statementSettings = {
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  // Searches would find some of the books.
  gin_fuzzy_search_limit: '0',
};

/**
 * Limits the statements of a new connection, and sets what they are written for. In a query: a pooler in session mode refuses such
 * parameters of a connection.
 * @param statementTimeoutMs 0: no limit.
 */
export async function setUpSession(client: pg.ClientBase, statementTimeoutMs: number): Promise<void> {
  const settings = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    // At a stricter level simultaneous orders of one book would fail.
    default_transaction_isolation: 'read committed',
    // It would compile a statement at each run, which takes longer than the store's statements do.
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

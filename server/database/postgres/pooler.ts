/**
 * Poolers between the store and PostgreSQL, such as PgBouncer (docs/decisions/0032). Behind one a connection is not a
 * session of the server: depending on its mode, each transaction may run in another session, and what one leaves there,
 * such as a prepared statement or a setting, affects the transactions of other clients.
 */

import pg from 'pg';

/** The key for cancelling in PostgreSQL's protocol, which the types of `pg` lack. */
type CancelKey = { processID: number; secretKey: number };
const cancelKeyOf = (client: pg.ClientBase): CancelKey => client as unknown as CancelKey;

/** Defaults of a role or a database may be others, with which the store's statements would mean something else. */
export const statementSettings = {
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  // Searches would find some of the books.
  gin_fuzzy_search_limit: '0',
};

/**
 * Limits the statements of a new connection, and sets what they are written for, unless it is a pooler's: there the
 * settings would stay and affect other clients, and PgBouncer refuses them among the parameters of the connection. A pooler makes up its
 * own cancel keys, because it has no session yet when it accepts a connection.
 * @param statementTimeoutMs 0: no limit.
 */
export async function limitSession(client: pg.ClientBase, statementTimeoutMs: number): Promise<void> {
  const isDirect = `pg_backend_pid() = ${cancelKeyOf(client).processID}`;
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
  const { rows } = await client.query<{ isDirect: boolean }>(
    `select ${isDirect} as "isDirect",
      case when ${isDirect} then concat_ws('', ${calls.join(', ')}) end`,
  );
  if (!rows[0]?.isDirect) pooled.add(client);
}

const pooled = new WeakSet<pg.ClientBase>();

/** A connection is a pooler's. It was passed to {@link limitSession}. */
export const isPooled = (client: pg.ClientBase): boolean => pooled.has(client);

/**
 * Asks the server to cancel what a connection runs, over another connection, as PostgreSQL's protocol does (its manual,
 * Canceling Requests in Progress). A pooler passes it on. The cancelled query fails with the condition 57014.
 * @param options those of the client.
 * @returns when the connection of the request has closed: true if the server has closed it, which it does when it has the request, or if
 * nothing was sent. Otherwise the request may still be on its way, and reach the next query. A pooler may close it earlier than a server.
 */
export async function cancelQuery(client: pg.ClientBase, options: pg.ClientConfig): Promise<boolean> {
  const { processID, secretKey } = cancelKeyOf(client);
  const cancelClient = new pg.Client(options);
  const connection = cancelClient.connection as pg.Connection & {
    startup(): void;
    cancel(processID: number, secretKey: number): void;
  };
  let isSent = false;
  let isLost = false;
  // Once the connection is encrypted, or at once where it is not, the request takes the place of the log-in.
  connection.startup = () => {
    isSent = true;
    connection.cancel(processID, secretKey);
  };
  connection.on('error', () => {
    isLost = isSent;
  });
  // The server closes the connection without a response, which `pg` takes for a failure.
  cancelClient.on('error', () => {});
  await cancelClient.connect().catch(() => {});
  return !isLost;
}

/** Other clients of a busy pooler may take the session in question at the moment when it would be seen twice. */
const rounds = 5;

/**
 * Each connection to an address has a session of the server for itself, which notifications need. In a
 * pooler's transaction mode it has not. A pooler that lends the session which came back last lends both connections the
 * same one. A pooler that takes turns lends one connection two of them.
 * @throws when the address cannot be reached.
 */
export async function hasSessions(options: pg.ClientConfig): Promise<boolean> {
  const clients = [new pg.Client(options), new pg.Client(options)] as const;
  const [first, second] = clients;
  for (const client of clients) client.on('error', () => {});
  try {
    await first.connect();
    if ((await sessionOf(first)) === cancelKeyOf(first).processID) return true;
    await second.connect();
    const lentTo = new Map<number, pg.Client>();
    for (let round = 0; round < rounds; round += 1) {
      for (const client of [first, first, second, second]) {
        const session = await sessionOf(client);
        if ((lentTo.get(session) ?? client) !== client) return false;
        lentTo.set(session, client);
      }
    }
    return lentTo.size === clients.length;
  } finally {
    for (const client of clients) client.end().catch(() => {});
  }
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

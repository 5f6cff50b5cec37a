/** Kysely on `pg`, and what tells this node that another has changed the catalogue. */

import { createHash, randomUUID } from 'node:crypto';
import { PostgresDialect } from 'kysely';
import pg from 'pg';

export type PostgresSettings = {
  engine: 'postgres';
  url: string;
  poolSize: number;
  connectTimeoutMs: number;
  statementTimeoutMs: number;
};

// bigint columns hold milliseconds, which a number holds exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function postgresDialect(
  settings: PostgresSettings,
  onError: (error: Error) => void,
): PostgresDialect {
  const pool = new pg.Pool({
    ...connectionOptions(settings),
    Client: PreparingClient,
    max: settings.poolSize,
    statement_timeout: settings.statementTimeoutMs,
    // A server that is gone without a word answers no timeout of its own.
    query_timeout: settings.statementTimeoutMs + 1_000,
    idle_in_transaction_session_timeout: settings.statementTimeoutMs,
  });
  // A connection that breaks is replaced when one is needed; without a listener it would end the process. The pool
  // listens while a connection is idle; one that is lent out and breaks between two queries fails the next of them.
  pool.on('error', (error) => {
    // pg-pool hangs the whole client on it, its cancel key included: nothing for a log.
    Reflect.deleteProperty(error, 'client');
    onError(error);
  });
  pool.on('connect', (client) => client.on('error', () => {}));
  return new PostgresDialect({ pool });
}

const connectionOptions = ({ url, connectTimeoutMs }: PostgresSettings) => ({
  connectionString: url,
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  application_name: 'colophon',
});

/**
 * Each statement is parsed and planned once a connection: the texts are few, since values are bound. A connection on
 * which nothing came back in time is given up: its answer may come later, and nobody would wait for it.
 */
class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's overloads do not describe a pass-through.
  override query(...args: any[]): any {
    const [text, values] = args;
    // A plan for any pattern could not use the index that a rare word needs: searches are planned each time.
    const isPreparable =
      typeof text === 'string' && Array.isArray(values) && values.length > 0 && !text.includes(' like ');
    // biome-ignore lint/suspicious/noExplicitAny: the same pass-through, bound to the client.
    const query = super.query.bind(this) as (...args: any[]) => any;
    const result = isPreparable
      ? query({ name: statementName(text), text, values }, ...args.slice(2))
      : query(...args);
    if (result instanceof Promise) {
      result.catch((error: Error) => {
        if (error.message === 'Query read timeout') this.end().catch(() => {});
      });
    }
    return result;
  }
}

const statementNames = new Map<string, string>();
function statementName(text: string): string {
  const known = statementNames.get(text);
  if (known) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  statementNames.set(text, name);
  return name;
}

/** The channel on which the database tells of every change of the books (see the migrations). */
export const catalogueChannel = 'catalogue';

export type ChangeListener = {
  /** Counts the changes that were told; NaN while nobody would tell. */
  mark(): number;
  close(): Promise<void>;
};

/** How often the listening connection is tried, and how soon a lost one is opened again. */
const heartbeatMs = 500;
/** Every so many heartbeats the path of the notifications is tried as well. */
const beatsPerTrial = 10;

/**
 * Listens on a connection of its own, for as long as the process lives, and connects again whenever that is lost. It is
 * believed once it has heard what another connection told it, and that is tried again every few seconds: through a pooler
 * that lends connections by the transaction every query is answered, and nothing is ever told.
 * @param tell sends a notification on a channel, over another connection than the listener's.
 */
export function listenForChanges(
  settings: PostgresSettings,
  tell: (channel: string) => Promise<unknown>,
): ChangeListener {
  const ownChannel = `node_${randomUUID().replaceAll('-', '')}`;
  let changes = 0;
  let current: pg.Client | undefined;
  /** The current one, once it has heard something. */
  let live: pg.Client | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout;

  const connect = async (): Promise<void> => {
    const client = new pg.Client({ ...connectionOptions(settings), query_timeout: 2 * heartbeatMs });
    current = client;
    let isHeard = true;
    const lose = () => {
      client.removeAllListeners('notification');
      if (live === client) live = undefined;
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ channel }) => {
      if (channel === ownChannel) isHeard = true;
      // What happened while nobody listened was not told.
      if (channel === catalogueChannel || live !== client) changes += 1;
      live = client;
    });
    try {
      await client.connect();
      await client.query(`listen ${catalogueChannel}; listen ${ownChannel}`);
      for (let beat = 0; !isClosed; beat += 1) {
        if (beat % beatsPerTrial === 0) {
          if (!isHeard) return;
          isHeard = false;
        }
        if (!isHeard) tell(ownChannel).catch(() => {});
        await pause(heartbeatMs);
        await client.query('select 1');
      }
    } finally {
      lose();
      client.end().catch(() => {});
    }
  };
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
  const keepConnected = async () => {
    while (!isClosed) {
      await connect().catch(() => {});
      if (!isClosed) await pause(heartbeatMs);
    }
  };
  keepConnected();

  return {
    mark: () => (live ? changes : Number.NaN),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await current?.end();
    },
  };
}

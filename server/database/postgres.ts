/** Kysely on `pg`: the connection pool and its prepared statements. */

import { createHash } from 'node:crypto';
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { planEachTimeComment } from './engine-differences.ts';

export type PostgresSettings = {
  engine: 'postgres';
  url: string;
  /** How many connections at most. */
  poolSize: number;
  /** How long a request waits for a connection. */
  connectTimeoutMs: number;
  /** How long a read may take, and any other statement. */
  readTimeoutMs: number;
  statementTimeoutMs: number;
};

// bigint columns hold milliseconds, which a number holds exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Kysely's dialect for a PostgreSQL server.
 * @param onError called with the error of an idle connection that broke.
 */
export function postgresDialect(
  settings: PostgresSettings,
  onError: (error: Error) => void,
): PostgresDialect {
  const pool = new pg.Pool({
    ...connectionOptions(settings),
    Client: PreparingClient,
    max: settings.poolSize,
    statement_timeout: settings.statementTimeoutMs,
    // A server that disappeared without closing the connection cannot enforce its own timeout.
    query_timeout: settings.statementTimeoutMs + 1_000,
    idle_in_transaction_session_timeout: settings.statementTimeoutMs,
  });
  // The pool replaces a broken connection when it needs one; without a listener the error would end the process. The
  // pool listens while a connection is idle. A connection in use that breaks between two queries fails the second one.
  pool.on('error', (error) => {
    // pg-pool adds the whole client to the error, its cancel key included, which must not be logged.
    Reflect.deleteProperty(error, 'client');
    onError(error);
  });
  pool.on('connect', (client) => client.on('error', () => {}));
  return new PostgresDialect({ pool });
}

/** The options of every connection of the store, for `pg`. */
export const connectionOptions = ({ url, connectTimeoutMs }: PostgresSettings) => ({
  connectionString: url,
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  application_name: 'colophon',
});

/**
 * Prepares each statement once per connection: values are bound, so the texts are few. A connection whose query timed
 * out is closed: otherwise the late result would arrive during the next query.
 */
class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's overloads do not describe a pass-through.
  override query(...args: any[]): any {
    const [text, values] = args;
    const isPreparable =
      typeof text === 'string' &&
      Array.isArray(values) &&
      values.length > 0 &&
      !text.endsWith(planEachTimeComment);
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
  const cached = statementNames.get(text);
  if (cached) return cached;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  statementNames.set(text, name);
  return name;
}

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';

/** The state that `/readyz` reports. */
export type Readiness = {
  /** Reports that a request failed because the database or the system was unavailable. */
  recordFailure(): void;
  /** @throws {Problem} UNAVAILABLE while the database does not respond, does not take a write after one failed, or has lost its file. */
  check(): Promise<void>;
};

/** Load balancers check every second or two. The database's own timeout for a statement would be too late for them. */
const timeoutMs = 1_000;
/** How long the result of a look serves further checks: a flood of them must not take the connections from the balancer's own. */
const sharedMs = 250;

/**
 * A health check writes nothing while all is well. Only after a request has failed because the database or the system was unavailable
 * does it write, until a write succeeds: a full disk, a lock and a server that is read-only since a failover still let it read. A SQLite
 * file that was removed even lets it write.
 */
export function openReadiness({ healthDb, checkFile }: Pick<Database, 'healthDb' | 'checkFile'>): Readiness {
  let failures = 0;
  let resolvedFailures = 0;
  let attempt: Promise<void> | undefined;
  /** A write that waits for a lock is not joined by another one at each check. */
  const shareWrite = (): Promise<void> => {
    const failuresBefore = failures;
    attempt ??= writeAndRemove(healthDb)
      .then(() => {
        resolvedFailures = failuresBefore;
      })
      .finally(() => {
        attempt = undefined;
      });
    return attempt;
  };
  const look = async (): Promise<void> => {
    await checkFile();
    await sql`select 1`.execute(healthDb);
    if (resolvedFailures !== failures) await shareWrite();
  };

  let shared: Promise<void> | undefined;
  return {
    recordFailure() {
      failures += 1;
    },
    check() {
      if (shared) return shared;
      const current = Promise.race([look(), failAfter(timeoutMs)]).catch((error: unknown) => {
        throw new Problem('UNAVAILABLE', { cause: error });
      });
      shared = current;
      const forget = () => setTimeout(() => (shared = undefined), sharedMs).unref();
      current.then(forget, forget);
      return current;
    },
  };
}

/** Commits a transaction that leaves nothing behind. */
async function writeAndRemove(db: Db): Promise<void> {
  const row = { id: `readiness ${randomUUID()}`, created_at: Date.now() };
  await db.transaction().execute(async (db) => {
    await db.insertInto('sign_in_attempts').values(row).execute();
    await db.deleteFrom('sign_in_attempts').where('id', '=', row.id).execute();
  });
}

async function failAfter(ms: number): Promise<never> {
  await pause(ms, undefined, { ref: false });
  throw new Error(`the database did not respond within ${ms} ms`);
}

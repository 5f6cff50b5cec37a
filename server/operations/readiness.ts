import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';

/** The time limit of a check: load balancers check every second or two, and the database's own timeout is longer. */
const timeoutMs = 1_000;

export type Readiness = ReturnType<typeof openReadiness>;

/** A check writes only after a request has failed, and until a write succeeds: with a full disk, a lock or a read-only server, reads still work. */
export function openReadiness({ healthDb, checkFile }: Pick<Database, 'healthDb' | 'checkFile'>) {
  let mustWrite = false;
  const look = async (): Promise<void> => {
    await checkFile();
    await sql`select 1`.execute(healthDb);
    if (!mustWrite) return;
    await writeAndRemove(healthDb);
    mustWrite = false;
  };
  /** Simultaneous checks share one query, which may wait for a lock or a lost connection. */
  let looking: Promise<void> | undefined;
  return {
    recordFailure(): void {
      mustWrite = true;
    },
    /** @throws {Problem} UNAVAILABLE while the database does not respond, refuses a write after a write has failed, or has lost its file. */
    async check(): Promise<void> {
      looking ??= look().finally(() => (looking = undefined));
      const late = pause(timeoutMs, undefined, { ref: false }).then(() => {
        throw new Error(`the database did not respond within ${timeoutMs} ms`);
      });
      await Promise.race([looking, late]).catch((error: unknown) => {
        throw new Problem('UNAVAILABLE', { cause: error });
      });
    },
  };
}

async function writeAndRemove(db: Db): Promise<void> {
  const row = { id: `readiness ${randomUUID()}`, created_at: Date.now() };
  await db.transaction().execute(async (db) => {
    await db.insertInto('sign_in_attempts').values(row).execute();
    await db.deleteFrom('sign_in_attempts').where('id', '=', row.id).execute();
  });
}

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';

/** Load balancers check every second or two. The database's own timeout for a statement would be too late for them. */
const timeoutMs = 1_000;

export type Readiness = ReturnType<typeof openReadiness>;

/** Only after a request has failed does a check write, until a write succeeds: a full disk, a lock and a server that is read-only still let it read. */
export function openReadiness({ healthDb, checkFile }: Pick<Database, 'healthDb' | 'checkFile'>) {
  let mustWrite = false;
  const look = async (): Promise<void> => {
    await checkFile();
    await sql`select 1`.execute(healthDb);
    if (!mustWrite) return;
    await writeAndRemove(healthDb);
    mustWrite = false;
  };
  /** Checks join a look that waits for a lock or a lost connection. */
  let looking: Promise<void> | undefined;
  return {
    recordFailure(): void {
      mustWrite = true;
    },
    /** @throws {Problem} UNAVAILABLE while the database does not respond, does not take a write after one failed, or has lost its file. */
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

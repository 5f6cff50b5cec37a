import type { Db } from './tables.ts';
import { dayMs } from './times.ts';

type LastBackup = { startedAt: number; bytes: number };

export async function recordBackup(db: Db, { startedAt, bytes }: LastBackup): Promise<void> {
  const row = { started_at: startedAt, bytes };
  await db
    .insertInto('last_backup')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** A daily backup is usual: after two days without one, something has failed. */
const oldMs = 2 * dayMs;

export const isOld = ({ startedAt }: Pick<LastBackup, 'startedAt'>, now = Date.now()): boolean =>
  now - startedAt > oldMs;

export async function findLastBackup(db: Db): Promise<LastBackup | undefined> {
  const row = await db.selectFrom('last_backup').selectAll().executeTakeFirst();
  return row && { startedAt: Number(row.started_at), bytes: Number(row.bytes) };
}

import { setTimeout as pause } from 'node:timers/promises';
import { findLastBackup } from '../database/last-backup.ts';
import { reserveOf } from '../database/reserve.ts';
import type { Db } from '../database/tables.ts';

/** While the database does not respond, the other measurements are wanted most. */
const timeoutMs = 500;

/**
 * @returns a function that returns the time of the last backup in Prometheus' text format: an empty text if there was none. It
 * reads one row. While the database does not respond in time it returns what it read last.
 */
export function openBackupAge(db: Db): () => Promise<string> {
  let startedAt: number | undefined;
  const read = async () => {
    startedAt = (await findLastBackup(reserveOf(db)))?.startedAt;
  };
  return async () => {
    await Promise.race([read().catch(() => {}), pause(timeoutMs, undefined, { ref: false })]);
    if (startedAt === undefined) return '';
    const name = 'backup_last_success_timestamp_seconds';
    return (
      `# HELP ${name} When the last backup that was checked began, in seconds since 1970.\n` +
      `# TYPE ${name} gauge\n${name} ${startedAt / 1000}\n`
    );
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import { findLastBackup } from '../database/last-backup.ts';
import { reserveOf } from '../database/reserve.ts';
import type { Db } from '../database/tables.ts';
import { countDueMail } from '../mail/outbox.ts';

/** While the database does not respond, the other measurements are wanted most. */
const timeoutMs = 500;

const gauge = (name: string, help: string, value: number): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`;

/**
 * @returns a function that returns what the database knows, in Prometheus' text format: the time of the last backup, unless
 * there was none, and the mail that waits. It reads a few rows. While the database does not respond in time it returns what it
 * read last.
 */
export function openStoredGauges(db: Db): () => Promise<string> {
  let text = '';
  const read = async () => {
    const reserve = reserveOf(db);
    const [backup, dueMail] = await Promise.all([findLastBackup(reserve), countDueMail(reserve)]);
    const backupText =
      backup &&
      gauge(
        'backup_last_success_timestamp_seconds',
        'When the last backup that was checked began, in seconds since 1970.',
        backup.startedAt / 1000,
      );
    text =
      (backupText ?? '') +
      gauge('mail_waiting', 'Orders whose mail is not sent yet, at most 10000.', dueMail);
  };
  return async () => {
    await Promise.race([read().catch(() => {}), pause(timeoutMs, undefined, { ref: false })]);
    return text;
  };
}

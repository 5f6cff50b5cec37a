import { setTimeout as pause } from 'node:timers/promises';
import type { Space } from '../database/engine.ts';
import { findLastBackup } from '../database/last-backup.ts';
import type { Database } from '../database/open.ts';
import { reserveOf } from '../database/reserve.ts';
import { countDueMail } from '../mail/outbox.ts';
import { countDueEvents } from '../webhooks/events.ts';

/** While the database does not respond, the other measurements are wanted most. */
const timeoutMs = 500;
/** PostgreSQL looks at each file of the database to tell its size. */
const spaceLifetimeMs = 60_000;

const gauge = (name: string, help: string, value: number | undefined): string =>
  value === undefined ? '' : `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`;

/**
 * @returns a function that returns what the database knows, in Prometheus' text format: the time of the last backup, unless
 * there was none, the mail and the webhooks that wait, and the space that is taken. A gauge that cannot be read in time keeps its
 * last value, and `stored_gauges_read` says so.
 */
export function openStoredGauges({ db, space }: Pick<Database, 'db' | 'space'>): () => Promise<string> {
  const reserve = reserveOf(db);
  const sources = [
    openSource('backup', async () =>
      gauge(
        'backup_last_success_timestamp_seconds',
        'When the last backup that was checked began, in seconds since 1970.',
        secondsOf(await findLastBackup(reserve)),
      ),
    ),
    openSource('mail', async () =>
      gauge('mail_waiting', 'Orders whose mail is not sent yet, at most 10000.', await countDueMail(reserve)),
    ),
    openSource('webhooks', async () =>
      gauge(
        'webhooks_waiting',
        'Events that are not delivered yet, at most 10000.',
        await countDueEvents(reserve),
      ),
    ),
    openSource('space', async () => spaceText(await space()), spaceLifetimeMs),
  ];
  const help =
    'Whether the gauges of the database could be read (1), by where they come from; if not (0), they are old.';
  return async () => {
    const results = await Promise.all(sources.map((read) => read()));
    return [
      ...results.map(({ text }) => text),
      `# HELP stored_gauges_read ${help}\n# TYPE stored_gauges_read gauge\n`,
      ...results.map(({ name, isRead }) => `stored_gauges_read{source="${name}"} ${Number(isRead)}\n`),
    ].join('');
  };
}

const secondsOf = (backup: { startedAt: number } | undefined): number | undefined =>
  backup && backup.startedAt / 1000;

/** @returns a function that reads unless the last text is younger than `lifetimeMs`, and returns the last text. */
function openSource(name: string, read: () => Promise<string>, lifetimeMs = 0) {
  let text = '';
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<boolean> | undefined;
  const refresh = async (): Promise<boolean> => {
    try {
      text = await read();
      readAt = performance.now();
      return true;
    } catch {
      return false;
    } finally {
      reading = undefined;
    }
  };
  return async () => {
    if (performance.now() - readAt < lifetimeMs) return { name, text, isRead: true };
    reading ??= refresh();
    const isRead = await Promise.race([reading, pause(timeoutMs, false, { ref: false })]);
    return { name, text, isRead };
  };
}

const spaceText = ({ databaseBytes, logBytes, diskFreeBytes, diskBytes }: Space): string =>
  [
    gauge('database_size_bytes', 'How much the database takes, without its log.', databaseBytes),
    gauge('database_log_size_bytes', 'How much the write-ahead log of SQLite takes.', logBytes),
    gauge('database_disk_free_bytes', 'How much is free on the disk of the SQLite file.', diskFreeBytes),
    gauge('database_disk_size_bytes', 'How much the disk of the SQLite file has.', diskBytes),
  ].join('');

import { setTimeout as pause } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import { findLastBackup } from '../database/last-backup.ts';
import type { Database } from '../database/open.ts';
import { countDue } from '../outbox/due.ts';

/** While the database does not respond, the other measurements are wanted most. */
const timeoutMs = 500;
/** PostgreSQL looks at each file of the database to tell its size. */
const spaceLifetimeMs = 60_000;

/**
 * Adds gauges of what the database knows. One that never had a value has no series; one that cannot be read in time keeps its
 * last value, and `stored_gauges_read` says so.
 * @returns a function that reads them.
 */
export function openStoredGauges(
  { db, space }: Pick<Database, 'db' | 'space'>,
  registers: Registry[],
): () => Promise<void> {
  const gauge = (name: string, help: string) => {
    const one = new Gauge({ name, help, registers });
    // prom-client sets it to 0.
    one.remove();
    return (value: number | undefined) => value !== undefined && one.set(value);
  };
  const backup = gauge(
    'backup_last_success_timestamp_seconds',
    'When the last backup that was checked began, in seconds since 1970.',
  );
  const mail = gauge('mail_waiting', 'Orders whose mail is not sent yet, at most 10000.');
  const webhooks = gauge('webhooks_waiting', 'Events that are not delivered yet, at most 10000.');
  const size = gauge('database_size_bytes', 'How much the database takes, without its log.');
  const logSize = gauge('database_log_size_bytes', 'How much the write-ahead log of SQLite takes.');
  const diskFree = gauge('database_disk_free_bytes', 'How much is free on the disk of the SQLite file.');
  const diskSize = gauge('database_disk_size_bytes', 'How much the disk of the SQLite file has.');
  const areRead = new Gauge({
    name: 'stored_gauges_read',
    help: 'Whether the gauges of the database could be read (1), by where they come from; if not (0), they are old.',
    labelNames: ['source'],
    registers,
  });

  let measuredAt = Number.NEGATIVE_INFINITY;
  const sources: Readonly<Record<string, () => Promise<unknown>>> = {
    async backup() {
      const last = await findLastBackup(db);
      backup(last && last.startedAt / 1000);
    },
    mail: async () => mail(await countDue(db, 'mail')),
    webhooks: async () => webhooks(await countDue(db, 'webhooks')),
    async space() {
      if (performance.now() - measuredAt < spaceLifetimeMs) return;
      const { databaseBytes, logBytes, diskFreeBytes, diskBytes } = await space();
      size(databaseBytes);
      logSize(logBytes);
      diskFree(diskFreeBytes);
      diskSize(diskBytes);
      measuredAt = performance.now();
    },
  };
  /** A read that hangs is not joined by another one at each scrape. */
  const reading = new Map<string, Promise<boolean>>();
  const refresh = async (source: string, read: () => Promise<unknown>): Promise<void> => {
    const current =
      reading.get(source) ??
      read()
        .then(
          () => true,
          () => false,
        )
        .finally(() => reading.delete(source));
    reading.set(source, current);
    const isRead = await Promise.race([current, pause(timeoutMs, false, { ref: false })]);
    areRead.set({ source }, Number(isRead));
  };
  return async () => {
    await Promise.all(Object.entries(sources).map(([source, read]) => refresh(source, read)));
  };
}

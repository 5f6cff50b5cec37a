import { setTimeout as pause } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import { findLastBackup } from '../database/last-backup.ts';
import type { Database } from '../database/open.ts';
import { countRows } from '../database/row-pages.ts';
import { countDue } from '../outbox/due.ts';
import { surplusCharges } from '../payments/payments.ts';

/** The time limit of a read: the other measurements matter most while the database does not respond. */
const timeoutMs = 500;

const help = {
  backup_last_success_timestamp_seconds:
    'When the last backup that was checked began, in seconds since 1970.',
  mail_waiting: 'Messages of orders that are not sent yet.',
  webhooks_waiting: 'Events that are not delivered yet.',
  payments_surplus: 'Payments that came twice or too late, and that have not gone back yet.',
  database_size_bytes: 'How much the database takes, without its log.',
  database_log_size_bytes: 'How much the write-ahead log of SQLite takes.',
  database_disk_free_bytes: 'How much is free on the disk of the SQLite file.',
  database_disk_size_bytes: 'How much the disk of the SQLite file has.',
};
type Values = Partial<Record<keyof typeof help, number | undefined>>;

/** A gauge without a value yet has no series; a gauge that cannot be read in time keeps its value, and `stored_gauges_read` reports that. */
export function openStoredGauges(
  { db, space }: Pick<Database, 'db' | 'space'>,
  registers: Registry[],
): () => Promise<void> {
  const gauges = new Map(
    Object.entries(help).map(([name, help]) => [name, new Gauge({ name, help, registers })]),
  );
  // prom-client would begin with 0.
  for (const gauge of gauges.values()) gauge.remove();
  const areRead = new Gauge({
    name: 'stored_gauges_read',
    help: 'Whether the gauges of the database could be read (1), by where they come from; if not (0), they are old.',
    labelNames: ['source'],
    registers,
  });

  const sources: Readonly<Record<string, () => Promise<Values>>> = {
    async backup() {
      const last = await findLastBackup(db);
      return { backup_last_success_timestamp_seconds: last && last.startedAt / 1000 };
    },
    mail: async () => ({ mail_waiting: await countDue(db, 'mail') }),
    webhooks: async () => ({ webhooks_waiting: await countDue(db, 'webhooks') }),
    payments: async () => ({ payments_surplus: await countRows(db, surplusCharges(db)) }),
    async space() {
      const { databaseBytes, logBytes, diskFreeBytes, diskBytes } = await space();
      const disk = { database_disk_free_bytes: diskFreeBytes, database_disk_size_bytes: diskBytes };
      return { database_size_bytes: databaseBytes, database_log_size_bytes: logBytes, ...disk };
    },
  };
  const readEach = () =>
    Promise.all(
      Object.entries(sources).map(async ([source, read]) => {
        areRead.set({ source }, 0);
        const values = await read().catch(() => undefined);
        if (!values) return;
        for (const [name, value] of Object.entries(values)) {
          if (value !== undefined) gauges.get(name)?.set(value);
        }
        areRead.set({ source }, 1);
      }),
    );
  return async () => {
    await Promise.race([readEach(), pause(timeoutMs, undefined, { ref: false })]);
  };
}

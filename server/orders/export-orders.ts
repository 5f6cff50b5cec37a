/** The orders as a file: CSV for a spreadsheet, JSON Lines for a script. */

import type { DeskOrder } from '../../contract/desk/orders.ts';
import { type Actor, recordActivity } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { csvLine } from '../exports/csv-line.ts';
import { type OrderFilter, readDeskOrders } from './desk-orders.ts';

type ExportFormat = 'csv' | 'jsonl';

/** By the format, the media type of its file. */
export const exportTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
};

const csvColumns: readonly (readonly [name: string, textOf: (order: DeskOrder) => string])[] = [
  ['id', ({ _id }) => _id],
  ['placedAt', ({ placedAt }) => placedAt],
  ['sentAt', ({ sentAt }) => sentAt ?? ''],
  ['title', ({ title }) => title],
  ['author', ({ author }) => author],
  ['price', ({ price }) => price.toFixed(2)],
  ['buyerName', ({ buyer }) => buyer.name],
  ['buyerEmail', ({ buyer }) => buyer.email],
  ['customerId', ({ buyer }) => buyer._id],
  ['deliveryAddress', ({ deliveryAddress }) => deliveryAddress ?? ''],
  ['withdrawnAt', ({ withdrawnAt }) => withdrawnAt ?? ''],
  ['withdrawnBy', ({ withdrawnBy }) => withdrawnBy ?? ''],
  ['withdrawalReason', ({ withdrawalReason }) => withdrawalReason ?? ''],
  ['refundedAt', ({ refundedAt }) => refundedAt ?? ''],
  ['returnedAt', ({ returnedAt }) => returnedAt ?? ''],
  ['note', ({ note }) => note ?? ''],
];

const writers: Readonly<Record<ExportFormat, { head: string; write(order: DeskOrder): string }>> = {
  csv: {
    // The byte order mark: without it Excel takes the bytes for the letters of the computer's country. What reads CSV
    // otherwise skips it; JSON Lines are for what does not.
    head: `\uFEFF${csvLine(csvColumns.map(([name]) => name))}`,
    write: (order) => csvLine(csvColumns.map(([, textOf]) => textOf(order))),
  },
  jsonl: { head: '', write: (order) => `${JSON.stringify(order)}\n` },
};

type ExportOptions = {
  format: ExportFormat;
  filter: OrderFilter;
  /** Called with the number of orders that each part of the file has. */
  onOrders?: ((count: number) => void) | undefined;
};

/**
 * Exports orders, oldest first, page by page: the memory for one page is enough, however many there are.
 * @param readDb where the pages are read. The audit trail is written to `db`, before the first of them.
 * @returns the text of the file in parts, none of them empty.
 */
export async function exportOrders(
  { db, readDb }: { db: Db; readDb: Db },
  { format, filter, onOrders }: ExportOptions,
  actor: Actor,
): Promise<AsyncGenerator<string>> {
  // Not the words that were searched for: they may be a person's.
  await recordActivity(db, 'orders-exported', actor, {
    details: { format, state: filter.state ?? 'all', isSearch: filter.q !== undefined },
  });
  return partsOf(readDb, { format, filter, onOrders });
}

async function* partsOf(db: Db, { format, filter, onOrders }: ExportOptions): AsyncGenerator<string> {
  const { head, write } = writers[format];
  if (head !== '') yield head;
  for await (const orders of readDeskOrders(db, filter)) {
    if (orders.length === 0) continue;
    yield orders.map(write).join('');
    onOrders?.(orders.length);
  }
}

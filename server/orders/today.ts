/** The first view of the desk: a few figures. Each comes from a query that reads few rows, however large the shop is. */

import { sql } from 'kysely';
import { maxCounted } from '../../contract/desk/limits.ts';
import type { OrderCounts, Today } from '../../contract/desk/today.ts';
import { dayOf, textOfDay } from '../../contract/shop-days.ts';
import { withoutPicture } from '../catalogue/desk-books.ts';
import { findLastBackup, isOld } from '../database/last-backup.ts';
import type { Database } from '../database/open.ts';
import type { Db } from '../database/tables.ts';
import { timeText } from '../database/times.ts';
import { version } from '../operations/build-info.ts';
import { countDue } from '../outbox/due.ts';
import { ordersWithMail } from '../outbox/mail-states.ts';
import { listDeskOrders, type OrderFilter, ordersOf } from './desk-orders.ts';
import { listSales } from './sales.ts';

/** @returns the number of rows of a query, up to {@link maxCounted}. @param ids a query of one column. */
async function count(db: Db, ids: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select * from (${ids}) as every limit ${sql.lit(maxCounted)}) as counted
  `.execute(db);
  return Number(rows[0]?.count);
}

const countOf = (db: Db, filter: OrderFilter): Promise<number> =>
  count(db, sql`${ordersOf(db, filter).clearSelect().select('id')}`);

export async function countOrders(db: Db, filter: OrderFilter): Promise<OrderCounts> {
  return {
    due: await countOf(db, { ...filter, state: 'due' }),
    new: await countOf(db, { ...filter, state: 'new' }),
    'no-address': await countOf(db, { ...filter, state: 'no-address' }),
    sent: await countOf(db, { ...filter, state: 'sent' }),
    withdrawn: await countOf(db, { ...filter, state: 'withdrawn' }),
    surplus: await countOf(db, { ...filter, state: 'surplus' }),
    all: await countOf(db, filter),
  };
}

const soldOut = sql`select id from books where sold_out_at is not null`;
const toRefund = sql`select id from orders where withdrawn_at is not null and refunded_at is null
  and not exists (select 1 from payments where order_id = orders.id and state = 'expired')`;

/** @param sendsMail false if no mail is sent: then no mail waits or fails. */
export async function findToday(
  { db, space }: Pick<Database, 'db' | 'space'>,
  { zone, sendsMail, now = Date.now() }: { zone: string; sendsMail: boolean; now?: number },
): Promise<Today> {
  const backup = await findLastBackup(db);
  const { diskFreeBytes, diskBytes } = await space();
  const weekOf = async (days: { from?: string; to?: string }) => {
    const [week] = await listSales(db, { by: 'week', count: 1, ...days }, { zone, now });
    if (!week) throw new Error('a week has no sums');
    return week;
  };
  const weekBefore = (day: string) => textOfDay(dayOf(day) - 7);
  const thisWeek = await weekOf({});
  const lastWeek = await weekOf({ from: weekBefore(thisWeek.from), to: weekBefore(thisWeek.to) });
  const { orders } = await listDeskOrders(db, {}, { limit: 10, cursor: undefined });
  return {
    toBePaid: await countOf(db, { state: 'due' }),
    toSend: await countOf(db, { state: 'new' }),
    toRefund: await count(db, toRefund),
    surplus: await countOf(db, { state: 'surplus' }),
    failedMail: sendsMail ? await count(db, sql`${ordersWithMail(db, 'given-up')}`) : 0,
    soldOut: await count(db, soldOut),
    withoutPicture: await count(db, withoutPicture),
    lastWeek,
    thisWeek,
    orders,
    store: {
      lastBackup: backup ? timeText(backup.startedAt) : null,
      isBackupOld: backup !== undefined && isOld(backup, now),
      waitingMail: sendsMail ? Math.min(await countDue(db, 'mail'), maxCounted) : 0,
      ...(diskFreeBytes !== undefined && { diskFreeBytes }),
      ...(diskBytes !== undefined && { diskBytes }),
      version,
    },
  };
}

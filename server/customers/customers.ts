import { type SelectQueryBuilder, sql } from 'kysely';
import type { DeskCustomer } from '../../contract/desk/customers.ts';
import { foldEmail } from '../../contract/email.ts';
import { centsToAmount } from '../../contract/money.ts';
import { tidyText, withoutUnseen } from '../../contract/pasted-text.ts';
import { isUuid } from '../../contract/uuid.ts';
import { type Actor, recordActivity } from '../activity/activity.ts';
import { readInTurn, rowsPerTurn } from '../database/row-turns.ts';
import type { Db, Tables } from '../database/tables.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import { Problem } from '../http/problems.ts';
import { similarityTo } from '../search/similar-texts.ts';
import { endSessionsOfCustomer } from '../sign-in/sessions.ts';

const maxFound = 50;
/** The last character of Unicode: it ends the range of texts that begin with a prefix. */
const last = '\u{10FFFF}';

/** The columns that a search looks in; each has an index. ASCII letters are in lower case there. */
export const searchedTexts = [
  sql<string>`lower(email)`,
  sql<string>`lower(name)`,
  // The last word of the name, from its last space on.
  sql<string>`lower(substr(name, length(rtrim(name, replace(name, ' ', ''))) + 1))`,
];

/** Finds customers by id, or by the beginning of their e-mail, their name or its last word. @returns at most 50, in the order of their e-mails. */
export async function findCustomers(db: Db, text: string): Promise<DeskCustomer[]> {
  const folded = foldEmail(tidyText(text));
  // An empty text would match every customer.
  if (folded === '') return [];
  const ids = new Set(isUuid(folded) ? [folded] : []);
  // A statement for each column: a single one with `or` may read every customer in the order of the e-mails.
  for (const searched of searchedTexts) {
    const found = await db
      .selectFrom('customers')
      .select('id')
      .where(searched, '>=', folded)
      .where(searched, '<', folded + last)
      .orderBy(searched)
      .limit(maxFound)
      .execute();
    for (const { id } of found) ids.add(id);
  }
  return ids.size === 0 ? [] : await describe(db, (customers) => customers.where('id', 'in', [...ids]));
}

/** A search for similar names reads at most this many customers, which takes a tenth of a second. */
const maxRead = 20_000;

/** Finds customers with names like a text (similar-texts.ts), among the latest ones. @returns at most 50, in the order of their e-mails. */
export async function findSimilarCustomers(db: Db, text: string): Promise<DeskCustomer[]> {
  const isSimilar = similarityTo(text);
  const ids: string[] = [];
  let last: { id: string; at: number } | undefined;
  for (let read = 0; read < maxRead && ids.length < maxFound; read += rowsPerTurn) {
    const rows = await readInTurn(() => newestCustomers(db, last).limit(rowsPerTurn).execute());
    ids.push(...rows.filter(({ name }) => isSimilar(name)).map(({ id }) => id));
    last = rows.at(-1);
    if (rows.length < rowsPerTurn) break;
  }
  return ids.length === 0 ? [] : await describe(db, (customers) => customers.where('id', 'in', ids));
}

function newestCustomers(db: Db, after?: { id: string; at: number }) {
  const newest = db
    .selectFrom('customers')
    .select(['id', 'name', 'created_at as at'])
    .where('email', '!=', '')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  if (!after) return newest;
  return newest.where(({ eb, refTuple, tuple }) =>
    eb(refTuple('created_at', 'id'), '<', tuple(after.at, after.id)),
  );
}

const listed = 10;
const totalOfOrder = sql<number>`price_cents + coalesce(delivery_cents, 0)`;

/** The expression makes SQLite read the table in its own order: by an index of customers the query takes three times as long. */
const bestIds = sql<{ id: string }>`
  select id from (
    select customer_id || '' as paid_by, sum(${totalOfOrder}) as cents from orders where withdrawn_at is null and cancelled_at is null group by 1
  ) as paid join customers on id = paid_by and email <> ''
  where cents > 0 order by cents desc, id limit ${sql.lit(listed)}
`;

export async function listCustomers(db: Db, sort: 'newest' | 'best'): Promise<DeskCustomer[]> {
  const rows =
    sort === 'newest' ? await newestCustomers(db).limit(listed).execute() : (await bestIds.execute(db)).rows;
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const found = await describe(db, (customers) => customers.where('id', 'in', ids));
  return found.sort((one, other) => ids.indexOf(one._id) - ids.indexOf(other._id));
}

/** Finds customers by e-mail: the same person may have accounts at different providers. */
export const findCustomersByEmail = (db: Db, email: string): Promise<DeskCustomer[]> =>
  describe(db, (customers) => customers.where(sql`lower(email)`, '=', foldEmail(withoutUnseen(email))));

/** Finds a customer. @throws {Problem} CUSTOMER_NOT_FOUND, also for an erased customer. */
export async function findCustomerById(db: Db, id: string): Promise<DeskCustomer> {
  const [customer] = await describe(db, (customers) => customers.where('id', '=', id));
  if (!customer) throw new Problem('CUSTOMER_NOT_FOUND');
  return customer;
}

type Customers = SelectQueryBuilder<Tables, 'customers', object>;

async function describe(db: Db, choose: (customers: Customers) => Customers): Promise<DeskCustomer[]> {
  const rows = await choose(db.selectFrom('customers'))
    .select((customers) => {
      const orders = customers.selectFrom('orders').whereRef('customer_id', '=', 'customers.id');
      const kept = orders.where('withdrawn_at', 'is', null).where('cancelled_at', 'is', null);
      const unsent = kept.where('sent_at', 'is', null);
      return [
        ...(['id', 'name', 'email', 'photo', 'created_at as createdAt', 'blocked_at as blockedAt'] as const),
        customers
          .selectFrom('sessions')
          .select(({ fn }) => fn.max('last_seen_at').as('at'))
          .whereRef('customer_id', '=', 'customers.id')
          .as('lastSeenAt'),
        orders.select(({ fn }) => fn.countAll<number>().as('count')).as('orders'),
        unsent.select(({ fn }) => fn.countAll<number>().as('count')).as('unsentOrders'),
        kept.select(({ fn }) => fn.sum<number>(totalOfOrder).as('sum')).as('revenueCents'),
      ];
    })
    // The e-mail is erased last, so an erasure that a crash interrupted can be found and repeated.
    .where('email', '!=', '')
    .orderBy(({ fn }) => fn('lower', ['email']))
    .orderBy('id')
    .limit(maxFound)
    .execute();
  return rows.map(({ id, createdAt, lastSeenAt, blockedAt, orders, unsentOrders, revenueCents, ...row }) => ({
    _id: id,
    ...row,
    createdAt: timeText(createdAt),
    lastSeenAt: timeOrNull(lastSeenAt),
    isBlocked: blockedAt !== null,
    orders: orders ?? 0,
    unsentOrders: unsentOrders ?? 0,
    revenue: centsToAmount(Number(revenueCents ?? 0)),
  }));
}

/**
 * A block ends every session in the same transaction. It writes the customer's row first: a sign-in in progress writes that row too, so the
 * sign-in either has begun its session by then, or finds the block.
 */
export async function block(
  db: Db,
  id: string,
  { isBlocked }: { isBlocked: boolean },
  actor: Actor,
): Promise<DeskCustomer> {
  const action = isBlocked ? 'customer-blocked' : 'customer-unblocked';
  return await db.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('customers')
      .set({ blocked_at: isBlocked ? Date.now() : null })
      .where('id', '=', id)
      .where('erased_at', 'is', null)
      .where('blocked_at', isBlocked ? 'is' : 'is not', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) {
      if (isBlocked) await endSessionsOfCustomer(db, id);
      await recordActivity(db, action, actor, { subject: id });
    }
    return await findCustomerById(db, id);
  });
}

/** The audit trail: who signed in as an admin, and who changed or exported what, when, and from which address. */

import { type Selection, sql } from 'kysely';
import type { Action, ActivityEntry } from '../../contract/desk/activity.ts';
import { foldEmail } from '../../contract/email.ts';
import { cutPage } from '../database/row-pages.ts';
import { deleteInBatches, sweepBatchSize } from '../database/sweep.ts';
import type { Db, Tables } from '../database/tables.ts';
import { timeText } from '../database/times.ts';

/** A customer, a script with a token, or the owner by a command. */
export type Actor = {
  customerId: string | null;
  email: string | null;
  token?: string;
  /** The IP address that the request came from, or {@link commandAddress}. */
  address: string;
};

/** The address of an act by `npm run shop`, on the store's machine. */
export const commandAddress = 'command';

export const commandActor: Actor = { customerId: null, email: null, address: commandAddress };

/** @returns what stands for the actor in other tables. The name of a token has a colon before it, which no id has. */
export const actorId = ({ customerId, token, address }: Actor): string =>
  customerId ?? `:${token ?? address}`;

type Changed = {
  book?: { id: string; title: string };
  /** The id of an order or a customer, or the name of a token: whatever was changed that is not a book. */
  subject?: string;
  /** Further facts. They are never personal data: an erasure does not remove them. */
  details?: Readonly<Record<string, string | number | boolean>>;
};

type Details = NonNullable<Changed['details']>;

/** Updates the entry of an action that is still running. @param subject no other entry of the action has it. @returns whether there is an entry. */
export async function updateDetails(
  db: Db,
  action: Action,
  subject: string,
  details: Details,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('activity')
    .set({ details: JSON.stringify(details) })
    .where('subject', '=', subject)
    .where('action', '=', action)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const retentionMs = 400 * 24 * 60 * 60 * 1000;

/** @param db the transaction of the action: a crash then loses both or neither. */
export async function recordActivity(
  db: Db,
  action: Action,
  { customerId, email, address, token }: Actor,
  { book, subject, details }: Changed = {},
): Promise<void> {
  await db
    .insertInto('activity')
    .values({
      at: Date.now(),
      action,
      customer_id: customerId,
      customer_email: email,
      address,
      book_id: book?.id ?? null,
      book_title: book?.title ?? null,
      token: token ?? null,
      subject: subject ?? null,
      details: details ? JSON.stringify(details) : null,
    })
    .execute();
}

type ActivityFilter = {
  limit: number;
  /** Times in milliseconds since 1970; `until` is excluded. */
  since?: number | undefined;
  until?: number | undefined;
  action?: string | undefined;
  /** A part of an e-mail or of a token's name, compared without the case of ASCII letters. */
  who?: string | undefined;
  cursor?: number | undefined;
};

const columns = [
  'seq',
  'at',
  'action',
  'customer_email as email',
  'customer_id as customerId',
  'address',
  'book_id as bookId',
  'book_title as bookTitle',
  'token',
  'subject',
  'details',
] as const;

/** A running import updates its entry more often. A `running` entry that is older than this belongs to a process that was killed. */
const silentMs = 15 * 60 * 1000;

const present = (
  { seq: _, at, details, ...entry }: Selection<Tables, 'activity', (typeof columns)[number]>,
  now = Date.now(),
): ActivityEntry => ({
  at: timeText(at),
  ...entry,
  details: details === null ? null : presentDetails(JSON.parse(details), now),
});

function presentDetails({ seenAt, ...details }: Details, now: number): Details {
  const isOver = details['state'] === 'running' && now - Number(seenAt ?? 0) > silentMs;
  return isOver ? { ...details, state: 'stopped' } : details;
}

const maxHistory = 100;
/** How many entries about marks are searched for an order: each names many orders, so no index finds them. */
const maxMarks = 2_000;

/** @param since when the order was placed: older entries are not searched. */
export async function listHistory(db: Db, orderId: string, since: number): Promise<ActivityEntry[]> {
  const ofOrder = db
    .selectFrom('activity')
    .select(columns)
    .where('subject', '=', orderId)
    .orderBy('seq', 'desc')
    .limit(maxHistory);
  const marks = db
    .selectFrom('activity')
    .selectAll()
    .where('action', '=', sql.lit<'orders-marked'>('orders-marked'))
    .where('at', '>=', since)
    .orderBy('at')
    .limit(maxMarks);
  const ofSeveral = db
    .selectFrom(marks.as('activity'))
    .select(columns)
    .where('subject', 'is', null)
    .where('details', 'like', `%${orderId}%`)
    .limit(maxHistory);
  const rows = [...(await ofOrder.execute()), ...(await ofSeveral.execute())];
  return rows
    .sort((one, other) => other.seq - one.seq)
    .slice(0, maxHistory)
    .map((row) => present(row));
}

export async function listActivity(
  db: Db,
  { limit, since, until, action, who, cursor }: ActivityFilter,
  now = Date.now(),
): Promise<{ entries: ActivityEntry[]; nextCursor: number | undefined }> {
  let query = db
    .selectFrom('activity')
    .select(columns)
    .orderBy('seq', 'desc')
    .limit(limit + 1);
  if (since !== undefined) query = query.where('at', '>=', since);
  if (until !== undefined) query = query.where('at', '<', until);
  if (action !== undefined) query = query.where('action', '=', action);
  if (who !== undefined) {
    query = query.where(({ eb, or, fn }) =>
      or(
        (['customer_email', 'token'] as const).map((name) =>
          eb(fn('lower', [name]), 'like', likePart(foldEmail(who))),
        ),
      ),
    );
  }
  if (cursor !== undefined) query = query.where('seq', '<', cursor);
  const { items, last } = cutPage(await query.execute(), limit);
  return { entries: items.map((row) => present(row, now)), nextCursor: last?.seq };
}

/** @returns the pattern of texts that contain this part. On both engines a backslash makes `%` and `_` literal. */
const likePart = (text: string) => sql<string>`${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;

export async function sweepActivity(db: Db, now = Date.now()): Promise<void> {
  await deleteInBatches(
    db.deleteFrom('activity').where('seq', 'in', ({ selectFrom }) =>
      selectFrom('activity')
        .select('seq')
        .where('at', '<', now - retentionMs)
        .limit(sweepBatchSize),
    ),
  );
}

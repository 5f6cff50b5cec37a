/** The audit trail: who signed in as an admin and who changed the catalogue, when, and from which address. */

import { deleteInBatches, sweepBatchSize } from '../database/sweep.ts';
import type { Db } from '../database/tables.ts';

/** A closed list: rows are stored with these names, so a name never changes. */
export type Action = 'admin-signed-in' | 'book-added' | 'book-deleted' | 'book-restored';

/** The customer who acts, and the IP address that their request came from. */
export type Actor = { customerId: string; email: string; address: string };

/** An entry of the trail; null where an older version of the store did not record it. */
export type ActivityEntry = {
  /** In ISO 8601, UTC. */
  at: string;
  action: string;
  /** The customer's e-mail at that time. */
  email: string | null;
  customerId: string | null;
  address: string | null;
  bookId: string | null;
  bookTitle: string | null;
};

const retentionMs = 400 * 24 * 60 * 60 * 1000;

/**
 * Records an action.
 * @param db the transaction of the action: a crash then loses both or neither.
 * @param book the book that was changed.
 */
export async function recordActivity(
  db: Db,
  action: Action,
  { customerId, email, address }: Actor,
  book?: { id: string; title: string },
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
    })
    .execute();
}

/** @returns the entries of the trail since a time (milliseconds since 1970), newest first, at most `limit`. */
export async function listActivity(
  db: Db,
  { limit, since = 0 }: { limit: number; since?: number },
): Promise<ActivityEntry[]> {
  const rows = await db
    .selectFrom('activity')
    .select([
      'at',
      'action',
      'customer_email as email',
      'customer_id as customerId',
      'address',
      'book_id as bookId',
      'book_title as bookTitle',
    ])
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ at, ...entry }) => ({ at: new Date(at).toISOString(), ...entry }));
}

/** Removes entries that are older than 400 days. @param now in milliseconds since 1970. */
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

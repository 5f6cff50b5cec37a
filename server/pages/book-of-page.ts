/** The book that a page is about. The page is sent in any case, so the wait for the database is short. */

import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { isStorableText } from '../../contract/field-formats.ts';
import { type BookVersion, findBook } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { isUnavailable } from '../database/unavailable.ts';

/**
 * Finds the book with an id from an address, also one that is sold out.
 * @param maxWaitMs how long the page waits for it.
 * @returns `none` when there is no such book, and `unknown` when the database has not responded in time, or cannot.
 */
export async function findBookOfPage(
  db: Db,
  id: string,
  { maxWaitMs, log }: { maxWaitMs: number; log: FastifyBaseLogger },
): Promise<BookVersion | 'none' | 'unknown'> {
  if (!isStorableText(id)) return 'none';
  const waiting = new AbortController();
  const timeout = pause(maxWaitMs, 'unknown' as const, { signal: waiting.signal }).catch(
    () => 'unknown' as const,
  );
  const found = findBook(db, id).then((book) => book ?? ('none' as const));
  try {
    return await Promise.race([found, timeout]);
  } catch (error) {
    // The app's own request for the book reports an outage. Any other failure is a fault of the store.
    if (!isUnavailable(error)) log.error({ err: error }, 'the book of a page could not be looked up');
    return 'unknown';
  } finally {
    waiting.abort();
  }
}

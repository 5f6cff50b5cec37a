import type { Db } from '../database/tables.ts';
import { bookColumns, coverColour } from './book-columns.ts';
import type { BookForSale } from './books.ts';

export type NewBook = BookForSale & { addedAt: number; changedAt: number | null; coverColour: string | null };

export const newestBooks = (db: Db, limit: number) =>
  db
    .selectFrom('books')
    .select([...bookColumns, 'added_at as addedAt', 'changed_at as changedAt', coverColour])
    .where('removed_at', 'is', null)
    .orderBy('seq', 'desc')
    .limit(limit);

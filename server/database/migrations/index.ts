import type { Migration } from 'kysely/migration';
import * as first from './0001-books-customers-orders-images.ts';

/** Every migration, by name, in the order in which they run. One that was released is never edited. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-books-customers-orders-images': first,
};

import { createHash } from 'node:crypto';
import { describeSchema } from '../engine-differences.ts';
import type { Db } from '../tables.ts';

/** The tables, indexes and triggers that migration 0001 makes. Some exist on one engine only. */
const objects = `
  books books_for_sale_by_newest books_for_sale_by_title books_for_sale_by_price books_for_sale_titled books_image
  books_search books_search_insert books_search_forget books_search_learn books_search_delete
  books_for_sale_search announce_books
  customers sessions sessions_last_seen orders images image_renditions
`;

/** The SHA-256 of their definitions, on SQLite and on PostgreSQL. */
const digests = [
  '1a996c2645db42aac27b47491bafae5a50dad3a60210471a9ebf993aba6d7d0a',
  '6a98249fb20e39e011bfbd20d6035353ed2730debc34717931d4cd728b5d35ac',
];

/**
 * Whether a database has the schema that migration 0001 makes. A database from before fingerprints were recorded has no
 * other proof of its migration: earlier forms of 0001 made other schemas under the same name.
 */
export async function hasSchemaOf0001(db: Db): Promise<boolean> {
  const definitions = await describeSchema(db, objects.trim().split(/\s+/));
  const digest = createHash('sha256').update(definitions.sort().join('\n')).digest('hex');
  return digests.includes(digest);
}

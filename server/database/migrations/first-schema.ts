import { createHash } from 'node:crypto';
import { describeSchema } from '../engine.ts';
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
  'b4b378f06f782d3ed5e10682ae2765492dd11b9644fcf6f80a45129b14ac17be',
  '461301726773305b611865d34e699618cddb42af6712559a692b56a1ef9ff246',
];

/**
 * A database has the schema that migration 0001 makes. One from before fingerprints were recorded has no
 * other proof of its migration: earlier forms of 0001 made other schemas under the same name.
 */
export async function hasSchemaOf0001(db: Db): Promise<boolean> {
  const schema = await describeSchema(db);
  const definitions = objects
    .trim()
    .split(/\s+/)
    .map((name) => schema.get(name));
  const digest = createHash('sha256').update(JSON.stringify(definitions)).digest('hex');
  return digests.includes(digest);
}

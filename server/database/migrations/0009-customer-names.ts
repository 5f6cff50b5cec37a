/** The desk finds customers by the beginning of their name, or of its last word. */

import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // As of e-mails, `lower` changes the letters of ASCII alone on both engines.
  await sql`create index customers_name on customers (lower(name))`.execute(db);
  await sql`create index customers_last_name on customers
    (lower(substr(name, length(rtrim(name, replace(name, ' ', ''))) + 1)))`.execute(db);
}

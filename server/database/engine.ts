/** The differences between SQLite and PostgreSQL that queries meet: each engine has them in its `dialect.ts`. */

import { type AliasedRawBuilder, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from './tables.ts';

export type Engine = {
  name: 'sqlite' | 'postgres';
  /** Locks imports until the end of the transaction: two at once could both add a book that neither of them finds. */
  lockImports(db: Db): Promise<void>;
  lockedInOrder<Joined, Table extends keyof Joined, Row>(
    query: SelectQueryBuilder<Joined, Table, Row>,
    /** The table whose rows to lock, if the query joins another. */
    of?: Table & string,
  ): SelectQueryBuilder<Joined, Table, Row>;
  /** A query may have to pass over rows that another transaction has locked. */
  locksRows: boolean;
  /** Removes deleted and overwritten rows from the disk: PostgreSQL keeps them until a vacuum, and its log until it is recycled. */
  forgetDeletedText(db: Db): Promise<void>;
  itemTable<Columns extends ItemColumns>(
    rows: readonly Readonly<Record<keyof Columns, unknown>>[],
    columns: Columns,
  ): AliasedRawBuilder<ItemOf<Columns>, 'item'>;

  listColumns(db: Db, table: string): Promise<string[]>;
  checkIntegrity(db: Db): Promise<{ count: number; unit: string; faults: string[] }>;

  /** Finds rows with all patterns; each pattern costs a read of the index. @returns undefined if more than `max` exist, or are expected. */
  findMatches(db: Db, patterns: readonly string[], max: number): Promise<{ seq: number }[] | undefined>;
  /** A condition for books that were found in another way than by the index of the text. */
  hasPatterns(patterns: readonly string[]): RawBuilder<boolean>;
};

export const engineOf = (db: Db): Engine =>
  (db.getExecutor().adapter as unknown as { engine: Engine }).engine;

export type ItemColumns = Readonly<Record<string, 'text' | 'bigint'>>;
export type ItemOf<Columns extends ItemColumns> = {
  [Name in keyof Columns]: (Columns[Name] extends 'bigint' ? number : string) | null;
};

export const likeAll = (patterns: readonly string[]): RawBuilder<boolean> =>
  sql.join(
    patterns.map((pattern) => sql`search_text like ${`%${pattern}%`}`),
    sql` and `,
  );

export const isSelect = (text: string): boolean => /^\s*select\b/i.test(text);

export type PoolUsage = { size: number; inUse: number; waiting: number };

/** The database's disks: on PostgreSQL only the size of the database is known, because the disk may be another machine's. */
export type Space = {
  databaseBytes: number;
  logBytes?: number;
  diskFreeBytes?: number;
  diskBytes?: number;
};

/**
 * The differences between SQLite and PostgreSQL that queries of the store meet. Each engine has a folder, in which files of the same
 * names have the same part. Apart from these folders, only migrations depend on the engine.
 */

import { type AliasedRawBuilder, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from './tables.ts';

export type Engine = { name: 'sqlite' | 'postgres' } & EngineTransactions & EngineSchema & EngineSearch;

/** The adapter of each dialect of the store has its engine. */
export type EngineAdapter = { engine: Engine };

/** @param db also a transaction. */
export const engineOf = (db: Db): Engine => (db.getExecutor().adapter as unknown as EngineAdapter).engine;

/** SQLite has one write transaction at a time, which has the only lock there is. */
export type EngineTransactions = {
  /** Waits until no other process migrates, to the end of the transaction. */
  lockMigrations(db: Db): Promise<void>;
  /** Waits until no other import writes, to the end of the transaction: two would each add a book that neither finds. */
  lockImports(db: Db): Promise<void>;
  /** Executes a statement that counts rows before it writes, of all nodes one after the other. */
  countingInTurn<Result>(db: Db, execute: (db: Db) => Promise<Result>): Promise<Result>;
  /** Locks the rows of a query, which sorts them, until the end of the transaction. */
  lockedInOrder<Joined, Table extends keyof Joined, Row>(
    query: SelectQueryBuilder<Joined, Table, Row>,
  ): SelectQueryBuilder<Joined, Table, Row>;
  /** Rows are locked, so that a query may have to pass over those of another transaction. */
  locksRows: boolean;
  /** One transaction writes at a time, and all others wait for it. */
  writesInTurn: boolean;
  /**
   * Removes deleted and overwritten rows from the disk, where the engine lets a client do that: PostgreSQL keeps them until a
   * vacuum, and its log until it is recycled.
   */
  forgetDeletedText(db: Db): Promise<void>;
  /** Makes the objects of a JSON array, given as text, the rows of a table named `item`. */
  itemTable<Columns extends ItemColumns>(json: string, columns: Columns): ItemTable<Columns>;
};

/** The SQL type of each field of an item. */
export type ItemColumns = Readonly<Record<string, 'text' | 'bigint'>>;
export type ItemOf<Columns extends ItemColumns> = {
  [Name in keyof Columns]: (Columns[Name] extends 'bigint' ? number : string) | null;
};
/** A table of items, for `from` and joins, under the name `item`. */
export type ItemTable<Columns extends ItemColumns> = AliasedRawBuilder<ItemOf<Columns>, 'item'>;

export type EngineSchema = {
  /** @returns the names of a table's columns; none if there is no such table. */
  listColumns(db: Db, table: string): Promise<string[]>;
  /** @returns how many were looked at, and of what, such as `page`, and a sentence for each that is damaged. */
  checkIntegrity(db: Db): Promise<{ count: number; unit: string; faults: string[] }>;
};

export type EngineSearch = {
  /**
   * Finds books for sale by the index of the search text.
   * @param patterns see `searchPatterns`; a match has all of them. Each costs a read of the index, so they should be few.
   * @param max no more than this number of books are read.
   */
  findMatches(db: Db, patterns: readonly string[], max: number): Promise<{ seq: number }[]>;
  /** The condition that a book has all of these patterns, for books that are found in another way than by the index of the text. */
  hasPatterns(patterns: readonly string[]): RawBuilder<boolean>;
  /**
   * Looks books for sale up in an index of the search that is apart from their table.
   * @returns the `seq` of those that it does not have.
   */
  findUnindexed(db: Db, range: { first: number; last: number }): Promise<number[]>;
  /** @returns the `seq` of up to a hundred entries of such an index whose book is not for sale. */
  listOrphans(db: Db): Promise<number[]>;
};

/** The condition on a book's search text, for each pattern. */
export const likeAll = (patterns: readonly string[]): RawBuilder<boolean> =>
  sql.join(
    patterns.map((pattern) => sql`search_text like ${`%${pattern}%`}`),
    sql` and `,
  );

/** A statement is a query if it begins with `select`. */
export const isSelect = (text: string): boolean => /^\s*select\b/i.test(text);

/** Each pool's load. `size`: how many connections or threads it may have. `waiting`: how many statements want one. */
export type PoolUsage = { size: number; inUse: number; waiting: number };

/** In bytes. PostgreSQL's disk is another machine's: only the first is known. */
export type Space = {
  databaseBytes: number;
  logBytes?: number;
  diskFreeBytes?: number;
  diskBytes?: number;
};

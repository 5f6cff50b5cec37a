/** The plans of statements: tests check that a statement reads no more of a large table than of a small one. */

import { CompiledQuery, sql } from 'kysely';
import type { Db } from '../database/tables.ts';
import { isOnPostgres } from './test-database.ts';

type Way = 'seqscan' | 'bitmapscan' | 'sort' | 'hashjoin' | 'mergejoin';

/**
 * @param avoided plans that PostgreSQL prefers for the few rows of a test: to read them all, sort them, or join them by hashes. @returns
 * the plan of each statement, in the engine's words.
 */
export async function plansOf(
  db: Db,
  statements: readonly Pick<CompiledQuery, 'sql' | 'parameters'>[],
  avoided: readonly Way[] = ['seqscan', 'bitmapscan', 'sort'],
): Promise<string[]> {
  return await db.transaction().execute(async (db) => {
    if (isOnPostgres()) {
      for (const way of avoided) await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(db);
    }
    const explain = isOnPostgres() ? 'explain' : 'explain query plan';
    const plans: string[] = [];
    for (const { sql: text, parameters } of statements) {
      const { rows } = await db.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...parameters]));
      plans.push(JSON.stringify(rows));
    }
    return plans;
  });
}

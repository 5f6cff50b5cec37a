import { sql } from 'kysely';
import type { Db } from '../tables.ts';

/** Called often. `share`: of this step, from 0 to 1; undefined if it is not known. */
export type OnStep = (step: string, bytes: number, share?: number) => void;

export const progressMs = 200;

/** How many rows the tables have that matter most. */
export type Counts = { books: number; customers: number; orders: number };

/** @returns numbers of one moment, where the caller has a transaction. */
export async function countRows(db: Db): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select (select count(*) from books) as books, (select count(*) from customers) as customers,
      (select count(*) from orders) as orders
  `.execute(db);
  const [{ books = 0, customers = 0, orders = 0 } = {}] = rows;
  return { books: Number(books), customers: Number(customers), orders: Number(orders) };
}

import { counted } from '../../contract/counted.ts';
import { moneyIn } from '../../contract/price.ts';
import { isNotDeleted } from '../catalogue/book-columns.ts';
import type { Db } from '../database/tables.ts';
import { StartError } from '../start-error.ts';

/**
 * Checks that the shop's orders and prices fit a currency. As each start does so, the newest order has the currency of all of them.
 * @throws {StartError} for another currency than that of the orders, or for prices that it cannot have.
 */
export async function checkCurrency(db: Db, currency: string): Promise<void> {
  const newestFirst = db.selectFrom('orders').select('currency').orderBy('id', 'desc');
  const newest = await newestFirst.limit(1).executeTakeFirst();
  if (newest && newest.currency !== currency) {
    const reason = 'in another one, sums and refunds would be wrong';
    throw new StartError(
      `CURRENCY: this shop has orders in ${newest.currency}, so it cannot be ${currency}: ${reason}.`,
    );
  }
  const { stepCents } = moneyIn(currency);
  if (stepCents === 1) return;
  const withFraction = (table: 'books' | 'ways') =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(({ eb }) => eb(eb('price_cents', '%', stepCents), '<>', 0));
  const { count: books } = await withFraction('books').where(isNotDeleted).executeTakeFirstOrThrow();
  const { count: ways } = await withFraction('ways').executeTakeFirstOrThrow();
  const [count, noun] = Number(books) > 0 ? [Number(books), 'book'] : [Number(ways), 'way'];
  if (count === 0) return;
  const prices = `${counted(count, noun)} ${count === 1 ? 'has' : 'have'} a price`;
  throw new StartError(`CURRENCY: ${currency} has no decimals, and ${prices} with a fraction.`);
}

import { moneyIn } from '../../contract/price.ts';
import { isNotDeleted } from '../catalogue/book-columns.ts';
import type { Db } from '../database/tables.ts';
import { StartError } from '../start-error.ts';

/**
 * Checks that the shop's orders and prices fit a currency. As each start does so, the newest order has the currency of all of them.
 * @throws {StartError} for another currency than that of the orders, or for prices that it cannot have.
 */
export async function checkCurrency(db: Db, currency: string): Promise<void> {
  const newest = await db.selectFrom('orders').select('currency').orderBy('id', 'desc').executeTakeFirst();
  if (newest && newest.currency !== currency) {
    const reason = 'in another one, sums and refunds would be wrong';
    throw new StartError(
      `CURRENCY: this shop has orders in ${newest.currency}, so it cannot be ${currency}: ${reason}.`,
    );
  }
  const { stepCents } = moneyIn(currency);
  if (stepCents === 1) return;
  const { books } = await db
    .selectFrom('books')
    .select(({ fn }) => fn.countAll<number>().as('books'))
    .where(({ eb }) => eb(eb('price_cents', '%', stepCents), '<>', 0))
    .where(isNotDeleted)
    .executeTakeFirstOrThrow();
  if (Number(books) === 0) return;
  const prices = Number(books) === 1 ? '1 book has a price' : `${books} books have a price`;
  throw new StartError(`CURRENCY: ${currency} has no decimals, and ${prices} with a fraction.`);
}

import type { BankImport, LeftEntry } from '../../../contract/desk/payments.ts';
import { centsToAmount } from '../../../contract/money.ts';
import type { Money } from '../../../contract/price.ts';
import type { Db } from '../../database/tables.ts';
import { isOrderNumber } from '../../orders/order-number.ts';
import { lockOrder } from '../../orders/orders.ts';
import type { Senders } from '../../outbox/record.ts';
import { applyPayment, recordCharge } from '../apply.ts';
import { adoptMark } from '../by-hand.ts';
import type { Payment } from '../payments.ts';
import type { BankEntry } from './bank-entry.ts';
import { readBankFile } from './read-bank-file.ts';

type Terms = { money: Money; senders: Senders };

/** How many entries are looked up at once. */
const entriesAtOnce = 200;
/** The most values in a condition. */
const maxValues = 500;
const maxLeft = 1_000;
/** The most characters of an entry's texts that are looked at, each of which may begin a number, and that the list shows. */
const maxRead = 2_000;
const maxShown = 200;

/**
 * Marks the orders that the entries of a bank's file pay. An entry is known by its day, amount and reference, and by its place among those
 * that are equal in these: so it is the same in a statement and in CSV. @throws {Problem} BANK_FILE_UNREADABLE; what was read before is done.
 */
export async function importBankFile(db: Db, file: Buffer, terms: Terms): Promise<BankImport> {
  const result: BankImport = { marked: 0, known: 0, left: [], leftCount: 0 };
  const equals = new Map<string, number>();
  for await (const entries of inGroups(readBankFile(file))) {
    const named = entries.map((entry) => [entry, referencesIn(entry)] as const);
    const payments = await findPayments(db, new Set(named.flatMap(([, references]) => references)));
    for (const [entry, references] of named) {
      const found = references.flatMap((reference) => payments.get(reference) ?? []);
      const outcome = await importEntry(db, entry, found, { ...terms, equals });
      if (outcome === 'marked' || outcome === 'known') result[outcome] += 1;
      else if (outcome !== 'not ours') {
        result.leftCount += 1;
        if (result.left.length < maxLeft) result.left.push(leftOf(entry, found, outcome));
      }
    }
  }
  return result;
}

async function* inGroups(entries: AsyncIterable<BankEntry>): AsyncGenerator<BankEntry[]> {
  let group: BankEntry[] = [];
  for await (const entry of entries) {
    group.push(entry);
    if (group.length < entriesAtOnce) continue;
    yield group;
    group = [];
  }
  yield group;
}

/** @returns what may be an order's number in the texts, which people type with spaces, in lower case, or beside other words. */
function referencesIn({ texts }: BankEntry): string[] {
  const found = new Set<string>();
  let unread = maxRead;
  for (const text of texts) {
    const letters = text
      .slice(0, unread)
      .toUpperCase()
      .replace(/[^A-Z\d]/g, '');
    for (let at = 0; at + 8 <= letters.length; at += 1) {
      const reference = letters.slice(at, at + 8);
      if (isOrderNumber(reference)) found.add(reference);
    }
    unread = Math.max(0, unread - text.length);
  }
  return [...found];
}

async function findPayments(db: Db, references: ReadonlySet<string>): Promise<Map<string, Payment>> {
  const all = [...references];
  const payments = new Map<string, Payment>();
  for (let at = 0; at < all.length; at += maxValues) {
    const query = db
      .selectFrom('payments')
      .selectAll()
      .where('reference', 'in', all.slice(at, at + maxValues));
    for (const payment of await query.execute()) payments.set(payment.reference, payment);
  }
  return payments;
}

/** @returns `not ours` for an entry that does not concern the shop; otherwise, unless it is known or has marked an order, why it has not. */
async function importEntry(
  db: Db,
  { day, cents, currency, kind }: BankEntry,
  [payment, another]: readonly Payment[],
  { money, senders, equals }: Terms & { equals: Map<string, number> },
): Promise<'marked' | 'known' | 'not ours' | string> {
  if (!payment) return kind === 'credit' ? 'It names no order.' : 'not ours';
  if (another) return 'It names several orders.';
  if (kind === 'reversal') return 'The money went back.';
  if (kind === 'debit') return 'The money left the account.';
  if (kind === 'pending') return 'It is not booked yet.';
  if (currency !== payment.currency) return `It is not in ${payment.currency}.`;
  const { reference } = payment;
  const due = money.format(centsToAmount(payment.cents));
  if (cents < payment.cents) return `Less than the ${due} that the order costs.`;
  if (cents > payment.cents) return `More than the ${due} that the order costs.`;
  const equal = `transfer:${day}:${cents}:${reference}`;
  const place = (equals.get(equal) ?? 0) + 1;
  equals.set(equal, place);
  const id = `${equal}:${place}`;
  return await db.transaction().execute(async (db) => {
    // Otherwise the same file on another node, or a mark by hand, could pay with the entry meanwhile, and this import would call it surplus.
    await lockOrder(db, payment.order_id);
    if (await adoptMark(db, reference, id)) return 'known';
    if (!(await recordCharge(db, { id, reference, way: 'transfer', cents }))) return 'known';
    if ((await applyPayment(db, reference, { senders })) === 'marked') return 'marked';
    return 'The order was paid already, cancelled or withdrawn: send the money back.';
  });
}

const leftOf = (
  { day, cents, currency, texts }: BankEntry,
  [payment, another]: readonly Payment[],
  reason: string,
): LeftEntry => ({
  ...{ day, amount: centsToAmount(cents), currency, reason },
  text: texts.join(' · ').slice(0, maxShown).toWellFormed(),
  order: payment && !another ? payment.order_id : null,
});

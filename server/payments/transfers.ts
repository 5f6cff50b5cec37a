/**
 * Money that came by transfer, or in cash: by the owner's word, and by the entries of a bank's file. A charge of a transfer has its entry as
 * its intent: the day, and the bank's own id where the file has one. Without an intent it is the owner's word.
 */

import type { BankImport } from '../../contract/desk/payments.ts';
import { centsToAmount } from '../../contract/money.ts';
import type { Money } from '../../contract/price.ts';
import { newId } from '../database/ids.ts';
import type { Db } from '../database/tables.ts';
import { isOrderNumber } from '../orders/order-number.ts';
import { lockOrder } from '../orders/orders.ts';
import type { Senders } from '../outbox/record.ts';
import type { BankEntry } from './bank-file/bank-entry.ts';
import { readBankFile } from './bank-file/read-bank-file.ts';
import type { Charge, Payment } from './payments.ts';
import { byHand, findStanding, isMark, newCharge, type Standing, write } from './standing.ts';

const chargeOf = ({ reference, cents }: Payment, intent: string | null): Charge =>
  newCharge({ id: newId(), reference, way: byHand, intent, cents });

/** @returns what becomes of a payment that the owner marks as paid; undefined for one that is not due. */
export const markPaid = ({ payment, charges }: Standing): Standing | undefined =>
  payment.state === 'due' ? { payment, charges: [...charges, chargeOf(payment, null)] } : undefined;

/** @returns what becomes of a payment whose mark is taken back; undefined for one that was not marked, or whose money the bank has. */
export function takeMarkBack({ payment, charges }: Standing): Standing | undefined {
  const mark = charges.find((charge) => charge.id === payment.charge_id && isMark(charge));
  if (!mark || payment.state !== 'paid') return undefined;
  const others = charges.filter((charge) => charge !== mark);
  return { payment: { ...payment, state: 'due', charge_id: null }, charges: others };
}

/** `taken`: the charges that are entries of this file. An equal entry is another payment. */
type Terms = { money: Money; senders: Senders; taken: Set<string> };

/** Limits: the entries of the list, the characters of their texts that are searched for numbers, and those that are shown. */
const [maxLeft, maxRead, maxShown] = [1_000, 2_000, 200];

/** Marks the orders that the entries of a bank's file pay. @throws {Problem} BANK_FILE_UNREADABLE; what was read before is done. */
export async function importBankFile(db: Db, file: Buffer, given: Omit<Terms, 'taken'>): Promise<BankImport> {
  const result: BankImport = { marked: 0, known: 0, left: [], leftCount: 0 };
  const terms = { ...given, taken: new Set<string>() };
  for await (const entry of readBankFile(file)) {
    const { day, cents, currency, texts } = entry;
    const found = await findPayments(db, texts);
    const outcome = await importEntry(db, entry, found, terms);
    if (outcome === 'marked' || outcome === 'known') result[outcome] += 1;
    else if (outcome !== 'not ours') {
      result.leftCount += 1;
      if (result.left.length >= maxLeft) continue;
      const told = texts.filter((one) => one !== noReference);
      const text = told.join(' · ').slice(0, maxShown).toWellFormed();
      const order = (found.length === 1 && found[0]?.order_id) || null;
      result.left.push({ day, amount: centsToAmount(cents), currency, text, order, reason: outcome });
    }
  }
  return result;
}

/** Banks write it where the payer gave no reference. */
const noReference = 'NOTPROVIDED';

/** Finds the payments whose references are in the texts, where people type them with spaces, in lower case, or beside other words. */
async function findPayments(db: Db, texts: readonly string[]): Promise<Payment[]> {
  const letters = texts
    .join('')
    .slice(0, maxRead)
    .toUpperCase()
    .replace(/[^A-Z\d]/g, '');
  const numbers = Array.from(letters, (_, at) => letters.slice(at, at + 8)).filter(isOrderNumber);
  if (numbers.length === 0) return [];
  return await db.selectFrom('payments').selectAll().where('reference', 'in', numbers).execute();
}

const refusals = {
  unreadable: 'Its amount cannot be read.',
  reversal: 'The money went back.',
  debit: 'The money left the account.',
  pending: 'It is not booked yet.',
};

/** @returns `not ours` for an entry that does not concern the shop; otherwise, unless it is known or has marked an order, why it has not. */
async function importEntry(
  db: Db,
  entry: BankEntry,
  [payment, another]: readonly Payment[],
  { money, senders, taken }: Terms,
): Promise<'marked' | 'known' | 'not ours' | string> {
  const { cents, currency, kind } = entry;
  if (kind === 'unreadable') return refusals[kind];
  if (!payment) return kind === 'credit' ? 'It names no order.' : 'not ours';
  if (another) return 'It names several orders.';
  if (kind !== 'credit') return refusals[kind];
  if (currency !== payment.currency) return `It is not in ${payment.currency}.`;
  const due = money.format(centsToAmount(payment.cents));
  if (cents < payment.cents) return `Less than the ${due} that the order costs.`;
  if (cents > payment.cents) return `More than the ${due} that the order costs.`;
  return await db.transaction().execute(async (db) => {
    // Otherwise the same file on another node, or a mark by hand, could pay with the entry meanwhile, and this import would call it surplus.
    await lockOrder(db, payment.order_id);
    const seen = await findStanding(db, payment.reference);
    if (!seen) return 'not ours';
    const key = keyOf(entry);
    const known = recordedOf(entry, seen, taken);
    const charge = known
      ? { ...known, intent: known.intent?.startsWith(key) ? known.intent : key }
      : chargeOf(payment, key);
    taken.add(charge.id);
    const others = seen.charges.filter((one) => one !== known);
    const told = { ...seen, charges: [...others, charge] };
    const written = await write(db, seen, told, { senders, isHeld: true });
    if (known) return 'known';
    if (written?.changes.has('paid')) return 'marked';
    return 'The order was paid already, cancelled or withdrawn: send the money back.';
  });
}

const keyOf = ({ day, id }: BankEntry): string => (id === '' ? day : `${day} ${id}`);

/** @returns the charge that an entry is: of its id; if either has no id, of its day; otherwise one that the owner has marked by hand. */
function recordedOf(entry: BankEntry, { charges }: Standing, taken: ReadonlySet<string>): Charge | undefined {
  const { day, id } = entry;
  const free = charges.filter((charge) => charge.way === byHand && !taken.has(charge.id));
  const isOfDay = ({ intent }: Charge) => (id === '' ? intent?.startsWith(`${day} `) : intent === day);
  return free.find(({ intent }) => intent === keyOf(entry)) ?? free.find(isOfDay) ?? free.find(isMark);
}

/** The API's view of the model: the fields that the model knows. Undefined: the answer must lack this field. */

import type { MailKind } from '../../../contract/desk/mail.ts';
import { type ProblemCode, problems, sentCode } from '../../http/problems.ts';
import type { Answer } from './engine.ts';
import { type Book, type Customer, day, type Order, type Shop, type Way } from './shop.ts';

export const no = (code: ProblemCode): Answer => ({
  status: problems[code].status,
  body: { code: sentCode(code) },
});
export const yes = (body?: unknown, status = 200): Answer => ({ status, body });
/** @returns the answer to what the model has done or refused. */
export const answer = <Of>(result: Of | ProblemCode, show: (done: Of) => unknown, status = 200): Answer =>
  typeof result === 'string' ? no(result as ProblemCode) : yes(show(result), status);

export const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);
const amount = (cents: number) => cents / 100;
const sumOf = (orders: readonly Order[]) => amount(orders.reduce((cents, order) => cents + order.cents, 0));
const totalOf = ({ cents, delivery }: Order) => cents + (delivery?.cents ?? 0);
const totalsOf = (orders: readonly Order[]) =>
  amount(orders.reduce((cents, order) => cents + totalOf(order), 0));
export const newestFirst = <Item>(items: readonly Item[]): Item[] => [...items].reverse();

export const forSale = (shop: Shop): Book[] => newestFirst(shop.books.filter(shop.isForSale));
const sold = (shop: Shop): Order[] => shop.orders.filter(({ withdrawnAt }) => withdrawnAt === null);

export const listed = ({ id, title, author, image, cents }: Book) => ({
  _id: id,
  title,
  author,
  image,
  price: { value: amount(cents) },
});

export const inStock = (book: Book) => ({
  ...listed(book),
  soldOut: book.free === 0 || undefined,
  copiesLeft: book.free !== null && book.free > 0 && book.free < 4 ? book.free : undefined,
  subjects: book.keywords?.split(', '),
});

export function front(shop: Shop) {
  const chosen = shop.onTable();
  const heading = shop.words.heading || (chosen.length > 0 ? 'Chosen by the bookseller' : 'New on the shelf');
  const books = (chosen.length > 0 ? chosen : forSale(shop).slice(0, 5)).map(listed);
  return { table: { heading, words: shop.words.words, books }, bookCount: forSale(shop).length };
}

/** @returns the books that were deleted or sold out, the last one first. */
export const lastFirst = ({ books }: Shop, time: 'deletedAt' | 'soldOutAt'): Book[] =>
  newestFirst(books.filter((book) => book[time] !== null)).sort(
    (one, other) => Number(other[time]) - Number(one[time]),
  );

export const deskBook = (shop: Shop) => (book: Book) => {
  const orders = sold(shop).filter((order) => order.book === book);
  return {
    ...listed(book),
    keywords: book.keywords,
    copies: book.free,
    addedAt: book.addedAt,
    removedAt: book.deletedAt,
    version: book.version,
    onFrontTable: book.onTableAt === null ? undefined : true,
    sold: orders.length,
    revenue: sumOf(orders),
    lastSoldAt: orders.at(-1)?.at ?? null,
  };
};

const stateOf = ({ sentAt, withdrawnAt }: Order) => {
  if (withdrawnAt !== null) return 'withdrawn';
  return sentAt === null ? 'new' : 'sent';
};
export const inState = (shop: Shop, state?: 'new' | 'sent' | 'withdrawn'): Order[] =>
  newestFirst(shop.orders.filter((order) => state === undefined || stateOf(order) === state));

const bought = (order: Order) => ({
  placedAt: order.at,
  _id: order.id,
  title: order.title,
  author: order.author,
  price: amount(order.cents),
  time: order.time,
  bookId: order.book.id,
  state: stateOf(order),
  delivery: order.delivery && deliveryOf(order.delivery),
  total: amount(totalOf(order)),
  gift: order.gift === null ? undefined : { text: order.gift },
});
const deliveryOf = ({ name, cents, asksAddress }: Way) => ({
  ...{ name, price: amount(cents), asksAddress, payOnCollection: false },
});
export const way = ({ id, ...way }: Way) => {
  const { price, ...shown } = deliveryOf({ id, ...way });
  return { id, ...shown, price: { value: price }, line: '' };
};

export const ownOrder = (shop: Shop) => (order: Order) => {
  const until = shop.withdrawUntil(order);
  const mayWithdraw = order.withdrawnAt === null && until >= shop.now;
  return {
    ...bought(order),
    sentAt: order.sentAt ?? undefined,
    withdrawnAt: order.withdrawnAt ?? undefined,
    withdrawnBy: order.withdrawnBy ?? undefined,
    withdrawUntil: mayWithdraw ? until : undefined,
    deliveryAddress: order.address ?? undefined,
  };
};

export const listedOrder = (shop: Shop) => (order: Order) => ({
  ...ownOrder(shop)(order),
  image: order.book.image,
  bookGone: order.book.deletedAt === null ? undefined : true,
});

export const withdrawn = ({ id, withdrawnAt }: Order) => {
  return { _id: id, state: 'withdrawn', withdrawnAt: withdrawnAt };
};
export const marked = ({ id, sentAt }: Order) => ({ _id: id, sentAt: sentAt });
export const counts = (shop: Shop) => ({
  new: inState(shop, 'new').length,
  sent: inState(shop, 'sent').length,
  withdrawn: inState(shop, 'withdrawn').length,
  all: shop.orders.length,
});

export const deskOrder = (order: Order) => ({
  ...bought(order),
  sentAt: order.sentAt,
  tracking: null,
  deliveryAddress: order.address,
  addressCorrectedAt: order.correctedAt,
  withdrawnAt: order.withdrawnAt,
  withdrawnBy: order.withdrawnBy,
  withdrawalReason: order.reason,
  refundedAt: order.refundedAt,
  returnedAt: order.returnedAt,
  note: order.note,
  buyer: { _id: order.buyer.id, name: order.name, email: order.email },
});

export const deskCustomer = (shop: Shop) => (customer: Customer) => {
  const orders = shop.orders.filter(({ buyer }) => buyer === customer);
  return {
    _id: customer.id,
    name: customer.person.name,
    email: customer.person.email,
    createdAt: customer.createdAt,
    isBlocked: customer.isBlocked,
    orders: orders.length,
    unsentOrders: orders.filter((order) => stateOf(order) === 'new').length,
    revenue: totalsOf(orders.filter(({ withdrawnAt }) => withdrawnAt === null)),
  };
};

export const mailState = ({ mail }: Order) => {
  if (mail.length === 0) return 'none';
  if (mail.some(({ dueAt }) => dueAt !== null)) return 'waiting';
  if (mail.some(({ hasFailed }) => hasFailed)) return 'given-up';
  return mail.some(({ sentAt }) => sentAt === null) ? 'unverified' : 'sent';
};
const sentAtOf = ({ mail }: Order, kind: MailKind) =>
  mail.findLast((one) => one.kind === kind && one.sentAt !== null)?.sentAt ?? null;
export const deskMail = (order: Order) => ({
  _id: order.id,
  to: order.email,
  state: mailState(order),
  placedAt: order.at,
  nextAttemptAt: order.mail.reduce<number | null>(
    (first, { dueAt }) => (first === null || (dueAt !== null && dueAt < first) ? dueAt : first),
    null,
  ),
  receiptSentAt: sentAtOf(order, 'receipt'),
  noticeSentAt: sentAtOf(order, 'notice'),
  dispatchSentAt: sentAtOf(order, 'dispatch'),
  acknowledgementSentAt: sentAtOf(order, 'acknowledgement'),
  withdrawalNoticeSentAt: sentAtOf(order, 'withdrawal-notice'),
});
/** The mail of the last thirty days. The lists of waiting and of given-up mail have older mail too. */
export const listedMail = (shop: Shop, state?: string): Order[] =>
  newestFirst(shop.orders).filter((order) => {
    const actual = mailState(order);
    if (state === 'waiting' || state === 'given-up') return actual === state;
    if (order.at <= shop.now - 30 * day) return false;
    return state === undefined ? actual !== 'none' : actual === state;
  });

/** @returns the sales of each of the last `days` days. The last one is today. */
export const salesByDay = (shop: Shop, days: number) =>
  Array.from({ length: days }, (_, index) => {
    const from = dayText(shop.now - (days - 1 - index) * day);
    const orders = sold(shop).filter(({ at }) => dayText(at) === from);
    const [revenue, total] = [sumOf(orders), totalsOf(orders)];
    const delivery = amount(Math.round(total * 100) - Math.round(revenue * 100));
    return { from, to: from, orders: orders.length, revenue, delivery };
  });

/** @returns the books that were sold in the last thirty days, those with the most orders first. */
export function bestSellers(shop: Shop) {
  const first = dayText(shop.now - 29 * day);
  const orders = sold(shop).filter(({ at }) => dayText(at) >= first);
  const books = shop.books.map((book) => {
    const ofBook = orders.filter((order) => order.book === book);
    return { _id: book.id, title: book.title, orders: ofBook.length, revenue: sumOf(ofBook) };
  });
  return books
    .filter((book) => book.orders > 0)
    .sort((one, other) => other.orders - one.orders || other.revenue - one.revenue);
}

/**
 * The shop as a person explains it: what it has, and what a person may do with it. The real store must do the same (sequences.ts).
 * Ids are names such as `book-0`, times milliseconds since 1970, prices cents. A refusal is the code of its problem. Left out: how
 * answers look (answers.ts), and the order of search results.
 */

import { tidyAddress } from '../../../contract/delivery-address.ts';
import type { MailKind } from '../../../contract/desk/mail.ts';
import type { ProblemCode } from '../../http/problems.ts';

type Result<Of> = Of | ProblemCode;
type Time = number | null;
/** Times of events that have not happened yet. */
const unset = <Name extends string>(...names: readonly Name[]) =>
  // The type of Object.fromEntries does not have the names.
  Object.fromEntries(names.map((name) => [name, null])) as Record<Name, Time>;

export type Person = { name: string; email: string; isOwner: boolean; isVerified: boolean; bounces: boolean };
type CustomerState = Record<'isBlocked' | 'isErased', boolean>;
export type Customer = { id: string; person: Person; createdAt: number } & CustomerState;
type Session = { customer: Customer; createdAt: number; lastSeenAt: number };

type Named = { title: string; author: string };
export type Details = Named & { image: string; cents: number; keywords: string | null };
/** `free`: the copies that can be sold; null: any number. */
type Stock = { free: number | null };
export type Edit = Partial<Details & Stock>;
export type Book = ReturnType<typeof newBook>;
const newBook = (id: string, details: Details, addedAt: number) => {
  const stock: Stock = { free: null };
  return { id, ...details, ...stock, addedAt, version: 1, ...unset('deletedAt', 'soldOutAt', 'onTableAt') };
};

export type OrderRequest = Named & {
  cents: number;
  time: string;
  address: string;
  bookId: string | undefined;
  way: string | undefined;
  totalCents: number | undefined;
  gift: string | null;
};
export type Way = { id: string; name: string; cents: number; asksAddress: boolean };
type Purchase = {
  id: string;
  book: Book;
  buyer: Customer;
  key: string | undefined;
  at: number;
  delivery: Way | undefined;
};
type Words = Record<'address' | 'note' | 'reason' | 'withdrawnBy', string | null>;
export type Order = ReturnType<typeof newOrder>;
const newOrder = (purchase: Purchase, request: OrderRequest) => {
  const { name, email } = purchase.buyer.person;
  const words: Words = { address: tidyAddress(request.address), note: null, reason: null, withdrawnBy: null };
  const times = unset('sentAt', 'correctedAt', 'withdrawnAt', 'refundedAt', 'returnedAt');
  const mail = [newMessage('receipt', purchase.at), newMessage('notice', purchase.at)];
  const hasCopy = purchase.book.free !== null;
  return { ...purchase, ...request, name, email, hasCopy, ...words, ...times, mail };
};

type Settlement = { isRefunded?: boolean; isReturned?: boolean };
type Target = { cents?: number; isDeleted?: boolean };
/** A row of a file of books. `free`: undefined where the file has no such column. */
type Row = { id: string | undefined; details: Details & Pick<Edit, 'free'> };
/** A message about an order. The two notices go to the shop, the others to the buyer. */
type Message = { kind: MailKind; dueAt: Time; sentAt: Time; hasFailed: boolean; wasTried: boolean };
const newMessage = (kind: MailKind, dueAt: number): Message => ({
  ...{ kind, dueAt, sentAt: null, hasFailed: false, wasTried: false },
});
export const isToBuyer = ({ kind }: Message): boolean =>
  kind === 'receipt' || kind === 'dispatch' || kind === 'acknowledgement';
const minute = 60 * 1000;
export const hour = 60 * minute;
export const day = 24 * hour;

export class Shop {
  now: number;
  books: Book[] = [];
  customers: Customer[] = [];
  orders: Order[] = [];
  sessions: Session[] = [];
  /** The session in each person's browser. */
  browsers = new Map<Person, Session>();
  bookKeys = new Map<string, { book: Book; request: string }>();
  /** The events that webhooks send. */
  events: { type: string; order: Order }[] = [];
  words = { heading: '', words: '' };
  ways: Way[] = [];

  constructor(now: number) {
    this.now = now;
  }

  // A session lasts seven idle days, thirty in all; the owner's twelve idle hours.

  /** An erased person who comes again is a new customer. @returns false for one who is blocked. */
  signIn(person: Person): boolean {
    const known = this.customers.find((one) => one.person === person && !one.isErased);
    if (known?.isBlocked) return false;
    const [id, now] = [`customer-${this.customers.length}`, this.now];
    const customer = known ?? { id, person, createdAt: now, isBlocked: false, isErased: false };
    if (!known) this.customers.push(customer);
    this.endSessions((session) => session === this.browsers.get(person));
    const session = { customer, createdAt: now, lastSeenAt: now };
    this.sessions.push(session);
    this.browsers.set(person, session);
    return true;
  }
  /** The use of a session is stored once an hour, that of the owner every five minutes. */
  signedIn(person: Person): Customer | undefined {
    const session = this.sessions.find((one) => one === this.browsers.get(person));
    if (!session) return undefined;
    const idle = this.now - session.lastSeenAt;
    if (idle >= 7 * day || this.now - session.createdAt >= 30 * day) return undefined;
    if (person.isOwner && idle >= 12 * hour) this.endSessions((one) => one === session);
    if (person.isOwner && idle >= 12 * hour) return undefined;
    if (idle > (person.isOwner ? hour / 12 : hour)) session.lastSeenAt = this.now;
    return session.customer;
  }
  endSessions(isEnded: (session: Session) => boolean): number {
    const before = this.sessions.length;
    this.sessions = this.sessions.filter((session) => !isEnded(session));
    return before - this.sessions.length;
  }
  block(customer: Customer, isBlocked: boolean): Result<Customer> {
    if (customer.isErased) return 'CUSTOMER_NOT_FOUND';
    customer.isBlocked = isBlocked;
    if (isBlocked) this.endSessions((session) => session.customer === customer);
    return customer;
  }
  /** The orders keep the book, the price and the day. @returns how many orders have lost the person. */
  erase(customer: Customer): number {
    const orders = this.orders.filter(({ buyer, email }) => buyer === customer && email !== '');
    for (const order of orders) {
      Object.assign(order, { name: '', email: '', key: undefined, mail: [] });
      Object.assign(order, { address: null, correctedAt: null, reason: null, note: null, gift: null });
    }
    this.events = this.events.filter(({ order }) => order.buyer !== customer);
    this.endSessions((session) => session.customer === customer);
    customer.isErased = true;
    return orders.length;
  }

  // A book is for sale, sold out, or deleted.

  isForSale = ({ deletedAt, soldOutAt }: Book): boolean => deletedAt === null && soldOutAt === null;
  named = (one: Named): Book[] =>
    this.books.filter(({ title, author }) => title === one.title && author === one.author);
  insert({ free, ...details }: Details & Stock): Book {
    const book = newBook(`book-${this.books.length}`, details, this.now);
    this.books.push(book);
    this.setFree(book, free);
    return book;
  }
  /** Adds one book for each key, however often the key comes. */
  addBook(details: Details & Stock, key: string): Result<Book> {
    const request = JSON.stringify(details);
    const earlier = this.bookKeys.get(key);
    if (earlier) return earlier.request === request ? earlier.book : 'IDEMPOTENCY_KEY_REUSED';
    const book = this.insert(details);
    this.bookKeys.set(key, { book, request });
    return book;
  }
  /** The last copy takes a book off the shelf, and one that comes back puts it there. */
  setFree(book: Book, free: number | null): void {
    const isMoved = book.deletedAt === null && (free === 0) !== (book.free === 0);
    if (isMoved) book.soldOutAt = free === 0 ? this.now : null;
    book.free = free;
  }
  /** An edit makes a new version; a change of the copies does not. */
  change(book: Book, { free, ...edit }: Edit): void {
    const isOther = Object.entries(edit).some(([name, value]) => value !== book[name as keyof Details]);
    if (isOther) Object.assign(book, edit, { version: book.version + 1 });
    if (free !== undefined) this.setFree(book, free);
  }
  /** An editor who has `seen` another version, or another number of copies, changes nothing. */
  edit(book: Book, edit: Edit, seen: { version?: number; free?: number | null }): Result<Book> {
    if (book.deletedAt !== null) return 'BOOK_NOT_FOUND';
    if (seen.version !== undefined && seen.version !== book.version) return 'BOOK_CHANGED';
    if (seen.free !== undefined && seen.free !== book.free) return 'COPIES_CHANGED';
    this.change(book, edit);
    return book;
  }
  addCopies(book: Book, more: number): Result<Book> {
    if (book.deletedAt !== null) return 'BOOK_NOT_FOUND';
    if (book.free === null) return 'VALIDATION_FAILED';
    return book.free + more < 0 ? 'SOLD_OUT' : this.edit(book, { free: book.free + more }, {});
  }
  remove = (book: Book): unknown =>
    book.deletedAt ?? Object.assign(book, { deletedAt: this.now, soldOutAt: null });
  restore(book: Book): void {
    if (book.deletedAt === null) return;
    Object.assign(book, { deletedAt: null, soldOutAt: book.free === 0 ? this.now : null });
  }
  onTable(): Book[] {
    const chosen = this.books.filter((book) => book.onTableAt !== null && this.isForSale(book));
    return chosen.sort((one, other) => Number(one.onTableAt) - Number(other.onTableAt)).slice(0, 6);
  }
  putOnTable(book: Book, isOn: boolean): Result<Book> {
    if (book.deletedAt !== null) return 'BOOK_NOT_FOUND';
    if ((book.onTableAt !== null) === isOn) return book;
    if (isOn && this.onTable().length === 6) return 'FRONT_TABLE_FULL';
    book.onTableAt = isOn ? this.now : null;
    return book;
  }

  /** Sets the books that stand on the table. Those that are sold out keep their place. */
  setTable(books: readonly Book[]): Result<readonly Book[]> {
    if (books.some(({ deletedAt }) => deletedAt !== null)) return 'BOOK_NOT_FOUND';
    for (const book of this.onTable()) book.onTableAt = null;
    for (const [place, book] of books.entries()) book.onTableAt = this.now + place;
    return books;
  }

  /** @param place the way's new place from 1; undefined: it keeps its place, or is the last. */
  setWay(way: Way, place: number | undefined): void {
    const before = this.ways.findIndex(({ id }) => id === way.id);
    const others = this.ways.filter(({ id }) => id !== way.id);
    this.ways = others.toSpliced(
      place === undefined ? (before < 0 ? others.length : before) : place - 1,
      0,
      way,
    );
  }
  removeWay(id: string): Result<Way[]> {
    const left = this.ways.filter((way) => way.id !== id);
    if (left.length === this.ways.length) return 'WAY_NOT_FOUND';
    this.ways = left;
    return left;
  }

  // A customer buys one copy at the price that they saw, and with a key once.

  buy(buyer: Customer, request: OrderRequest, key: string, isToday: boolean): Result<Order> {
    const earlier = this.orders.find((order) => order.buyer === buyer && order.key === key);
    const isOfBook = request.bookId === undefined || request.bookId === earlier?.book.id;
    const isSame = earlier && hashOf(earlier) === hashOf(request) && isOfBook;
    if (earlier) return isSame ? earlier : 'IDEMPOTENCY_KEY_REUSED';
    if (!isToday) return 'VALIDATION_FAILED';
    const book = request.bookId === undefined ? this.findTitled(request) : this.findShown(request);
    if (typeof book === 'string') return book;
    const delivery = this.ways.find(({ id }) => id === request.way);
    if (request.way === undefined && this.ways.length > 0) return 'WAY_MISSING';
    if (request.way !== undefined && !delivery) return 'DELIVERY_CHANGED';
    const total = book.cents + (delivery?.cents ?? 0);
    if ((request.totalCents ?? total) !== total) return 'DELIVERY_CHANGED';
    const id = `order-${this.orders.length}`;
    const order = newOrder({ id, book, buyer, key, at: this.now, delivery }, request);
    this.orders.push(order);
    this.events.push({ type: 'order.placed', order });
    if (book.free !== null) this.setFree(book, book.free - 1);
    return order;
  }
  /** The newest book of this title, author and price. */
  findTitled(request: OrderRequest): Result<Book> {
    const inStock = this.named(request).filter(this.isForSale);
    const book = inStock.findLast(({ cents }) => cents === request.cents);
    const isSoldOut = this.named(request).some(({ soldOutAt }) => soldOutAt !== null);
    if (!book && inStock.length > 0) return 'PRICE_CHANGED';
    return book ?? (isSoldOut ? 'SOLD_OUT' : 'BOOK_GONE');
  }
  /** The very book that the buyer saw, if it is as they saw it. */
  findShown(request: OrderRequest): Result<Book> {
    const book = this.books.find(({ id }) => id === request.bookId);
    if (!book || book.deletedAt !== null) return 'BOOK_GONE';
    if (book.free === 0) return 'SOLD_OUT';
    if (book.title !== request.title || book.author !== request.author) return 'ORDERED_BOOK_CHANGED';
    return book.cents === request.cents ? book : 'PRICE_CHANGED';
  }
  giveCopyBack(order: Order): void {
    if (order.hasCopy && order.book.free !== null) this.setFree(order.book, order.book.free + 1);
    order.hasCopy = false;
  }
  /** @returns the end of the fourteenth day after the order was sent, or after today if it is not sent. */
  withdrawUntil = ({ sentAt }: Order): number => (Math.floor((sentAt ?? this.now) / day) + 15) * day - 1;
  withdraw(order: Order, withdrawnBy: 'customer' | 'shop', reason: string): Result<Order> {
    if (order.withdrawnAt !== null) return order;
    if (withdrawnBy === 'customer' && this.withdrawUntil(order) < this.now) return 'TOO_LATE';
    Object.assign(order, { withdrawnAt: this.now, withdrawnBy });
    if (order.email !== '') {
      order.reason = reason.trim() || null;
      const kinds = ['acknowledgement', 'withdrawal-notice'] as const;
      order.mail.push(...kinds.map((kind) => newMessage(kind, this.now)));
    }
    this.events.push({ type: 'order.withdrawn', order });
    if (order.sentAt === null) this.giveCopyBack(order);
    return order;
  }
  settle(order: Order, { isRefunded, isReturned }: Settlement): Result<Order> {
    if (order.withdrawnAt === null) return 'NOT_WITHDRAWN';
    if (isReturned && order.returnedAt === null) this.giveCopyBack(order);
    if (isRefunded !== undefined) order.refundedAt = isRefunded ? (order.refundedAt ?? this.now) : null;
    if (isReturned !== undefined) order.returnedAt = isReturned ? (order.returnedAt ?? this.now) : null;
    return order;
  }
  /** Changes the mark of all orders, or of none if one of them is withdrawn. */
  mark(orders: readonly Order[], isSent: boolean): Result<readonly Order[]> {
    if (orders.some(({ withdrawnAt }) => withdrawnAt !== null)) return 'WITHDRAWN';
    for (const order of orders.filter(({ sentAt }) => (sentAt !== null) !== isSent)) {
      order.sentAt = isSent ? this.now : null;
      if (isSent) {
        this.events.push({ type: 'order.sent', order });
        if (order.address !== null) order.mail.push(newMessage('dispatch', this.now + minute));
      } else {
        this.events = this.events.filter((event) => event.type !== 'order.sent' || event.order !== order);
        order.mail = order.mail.filter(({ kind, sentAt }) => kind !== 'dispatch' || sentAt !== null);
      }
    }
    return orders;
  }
  correctAddress(order: Order, text: string): Result<Order> {
    if (order.email === '') return 'CUSTOMER_NOT_FOUND';
    if (order.withdrawnAt !== null) return 'WITHDRAWN';
    if (order.sentAt !== null) return 'ALREADY_SENT';
    const address = tidyAddress(text);
    if (order.address !== address) Object.assign(order, { address, correctedAt: this.now });
    return order;
  }

  // The mail of an order.

  /** Mail that an address refuses is given up. An address that is not verified gets nothing until the owner asks for it. */
  sendMail(): void {
    for (const { mail, buyer } of this.orders) {
      for (const message of mail.filter(({ dueAt }) => dueAt !== null && dueAt <= this.now)) {
        const isKept = isToBuyer(message) && !message.wasTried && !buyer.person.isVerified;
        const hasFailed = isToBuyer(message) && !isKept && buyer.person.bounces;
        const sentAt = isKept || hasFailed ? null : this.now;
        Object.assign(message, { dueAt: null, sentAt, hasFailed, wasTried: true });
      }
    }
  }
  /** The owner asks for mail that was given up or kept back. */
  retryMail(order: Order): void {
    for (const message of order.mail) if (message.sentAt === null) message.dueAt ??= this.now;
  }

  // Changes of many books, and files.

  /**
   * Each book gets a price, or is deleted or restored.
   * @param isStale true: the owner has seen other versions of the books.
   */
  changeEach(
    books: readonly Book[],
    targetOf: (book: Book) => Target,
    options: Record<'isStale' | 'isDryRun', boolean>,
  ) {
    const result: Record<'changed' | 'skipped', object[]> = { changed: [], skipped: [] };
    for (const book of books) {
      const { cents = book.cents, isDeleted } = targetOf(book);
      const wasDeleted = book.deletedAt !== null;
      const isSame = cents === book.cents && (isDeleted ?? wasDeleted) === wasDeleted;
      const reason = isSame ? 'same' : wasDeleted && isDeleted === undefined ? 'gone' : undefined;
      if (options.isStale || reason) {
        result.skipped.push({
          _id: book.id,
          title: book.title,
          reason: options.isStale ? 'changed' : reason,
        });
        continue;
      }
      const to = cents === book.cents ? { isDeleted } : { price: cents / 100 };
      if (!options.isDryRun && isDeleted) this.remove(book);
      if (!options.isDryRun && isDeleted === false) this.restore(book);
      if (!options.isDryRun) this.change(book, { cents });
      result.changed.push({ _id: book.id, to, version: book.version });
    }
    return result;
  }
  /**
   * Each row changes the book that it names, or adds one. If two rows name the same book, the first one changes it.
   * @returns the number of rows for each result.
   */
  importRows(rows: readonly Row[], isDryRun: boolean) {
    const hadIds = new Map<string, boolean>();
    const meant = new Set<Book>();
    const planned = rows.flatMap(({ id, details }) => {
      const name = JSON.stringify([details.title, details.author]);
      const hadId = hadIds.get(name);
      hadIds.set(name, hadId ?? id !== undefined);
      // The shop may have several books of a name.
      if (hadId !== undefined && !(hadId && id !== undefined)) return [];
      const book = id === undefined ? this.meantBy(details) : this.books.find((one) => one.id === id);
      if (book && meant.has(book)) return [];
      if (book) meant.add(book);
      return [{ book, details }];
    });
    const counts = {
      added: 0,
      changed: 0,
      restored: 0,
      unchanged: 0,
      errorCount: rows.length - planned.length,
    };
    for (const { book, details } of planned) {
      const isRestored = book !== undefined && book.deletedAt !== null;
      const isOther =
        isRestored ||
        Object.entries(details).some(([name, value]) => Reflect.get(book ?? {}, name) !== value);
      counts[book ? (isOther ? 'changed' : 'unchanged') : 'added'] += 1;
      if (isRestored) counts.restored += 1;
      if (isDryRun || !isOther) continue;
      if (!book) {
        this.insert({ free: null, ...details });
        continue;
      }
      const { version } = book;
      this.restore(book);
      this.change(book, details);
      if (isRestored) book.version = version + 1;
    }
    return counts;
  }
  /** The newest book of this name for sale, or else sold out, or else the one that was deleted last. */
  meantBy(row: Named): Book | undefined {
    const named = this.named(row);
    const deleted = named.filter(({ deletedAt }) => deletedAt !== null);
    deleted.sort((one, other) => Number(one.deletedAt) - Number(other.deletedAt));
    return (
      named.findLast(this.isForSale) ??
      named.findLast(({ soldOutAt }) => soldOutAt !== null) ??
      deleted.at(-1)
    );
  }
}

/** The hash of a request, without its address and its book’s id: a key that comes again with another hash is refused. */
const hashOf = (request: Omit<OrderRequest, 'address' | 'bookId'>) => {
  const { title, author, cents, time, way, totalCents, gift } = request;
  return JSON.stringify([title, author, cents, time, way, totalCents, gift]);
};

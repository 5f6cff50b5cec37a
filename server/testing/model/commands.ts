/** Every call of the API and of the desk, and faults: the request, and what the model does and answers. */

import fc from 'fast-check';
import { csvColumns } from '../../../contract/book-fields.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { paths } from '../../../contract/paths.ts';
import { withdrawalPaths } from '../../../contract/withdrawal.ts';
import { csvLine } from '../../exports/csv-line.ts';
import * as show from './answers.ts';
import { answer, forSale, inState, listed, newestFirst, no, yes } from './answers.ts';
import type { Answer, Call, Engine } from './engine.ts';
import { owner } from './node.ts';
import {
  type Book,
  type Customer,
  day,
  type Edit,
  hour,
  isToBuyer,
  type Order,
  type Person,
  type Shop,
} from './shop.ts';

/**
 * `as`: the person whose session the call needs. `by`: the person whose browser sends it, with or without a session. `does`: changes the
 * model and returns its answer. `next`: the call that follows at once.
 */
export type PlannedCall = Call & { as?: Person; by?: Person; next?: PlannedCall } & {
  does(customer: Customer): Answer;
};
/** `happens`: the effect on the store. `does`: the effect on the model. */
type PlannedFault = { happens(engine: Engine): Promise<void>; does(): void };
export type Plan = PlannedCall | PlannedFault | undefined;
/** `operation`: an `operationId`, or the name of a fault. `plan`: returns undefined if the shop is not ready for it. */
export type Command = {
  operation: string;
  weight: number;
  makes: fc.Arbitrary<{ given: unknown; plan(shop: Shop): Plan }>;
};

const person = (name: string, isVerified: boolean, bounces: boolean): Person => {
  return { name, email: `${name}@example.com`, isOwner: false, isVerified, bounces };
};
const [ada, bob, cy] = [person('ada', true, false), person('bob', false, false), person('cy', true, true)];
export const people = [ada, bob, cy, owner];

/** Mostly small indexes: several actions on the same item find more faults. */
const index = fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 2 }), fc.nat({ max: 19 }));
const at = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];
const several = fc.array(index, { minLength: 1, maxLength: 3 });
const chosen = <Item>(items: readonly Item[], indexes: readonly number[]) => [
  ...new Set(indexes.flatMap((index) => at(items, index) ?? [])),
];
const buyer = fc.constantFrom(ada, ada, bob, cy, owner);
const rarely = fc.constantFrom(false, false, false, false, false, true);
const key = fc.constantFrom(undefined, 'a', 'b', 'c');
/** A request without a key gets a unique one: each is another request. */
const unique = (): string => crypto.randomUUID();
const keyed = (key: string | undefined) => (key === undefined ? {} : { headers: { 'idempotency-key': key } });
const cents = fc.constantFrom(500, 1299, 1999);
const free = fc.constantFrom(null, null, 0, 1, 1, 2, 3, 5);
const keywords = fc.constantFrom(null, 'Novels', 'Novels, England');
const title = fc.constantFrom('Emma', 'Persuasion', 'Dune');
const author = fc.constantFrom('Jane Austen', 'Jane Austen', 'Frank Herbert');
const image = fc.constantFrom('https://covers.example/1.jpg', 'https://covers.example/2.jpg');
const details = fc.record({ title, author, image, cents, keywords });
const sent = ({ cents, free, ...rest }: Edit) => ({
  ...rest,
  ...(cents !== undefined && { price: { value: priceText(cents) } }),
  ...(free !== undefined && { copies: free }),
  ...(rest.keywords === null && { keywords: '' }),
});
const priceText = (cents: number) => (cents / 100).toFixed(2);

const commands: Command[] = [];
/** @param plan gets the values of the arbitraries, and `caller`: the owner, and now and then a customer. */
function command<Given extends object>(
  operation: string,
  weight: number,
  given: { [Name in keyof Given]: fc.Arbitrary<Given[Name]> },
  plan: (shop: Shop, given: Given & { caller: Person }) => Plan,
): void {
  const [caller, node] = [rarely.map((isAda) => (isAda ? ada : owner)), rarely.map(Number)];
  const makes = fc.tuple(fc.record(given), caller, node).map(([made, caller, node]) => {
    // The cast is right: the record has a value of each arbitrary.
    const all = { ...(made as Given), caller };
    const planOf = (shop: Shop): Plan => {
      const planned = plan(shop, all);
      return planned && 'path' in planned ? { node, ...planned } : planned;
    };
    return { given: { ...all, node }, plan: planOf };
  });
  commands.push({ operation, weight, makes });
}
/** The paths that show most of what a sequence may have left behind: each sequence ends with them. */
const looked = new Set([
  ...[paths.books, deskPaths.books, `${deskPaths.books}?state=deleted`, `${deskPaths.mail}?state=all`],
  ...[deskPaths.orders, deskPaths.orderCounts, deskPaths.sales, deskPaths.bestSellers, deskPaths.today],
  `${deskPaths.customers}?sort=newest`,
]);
const looks: ((shop: Shop) => PlannedCall)[] = [];
type Read = (shop: Shop, given: { caller: Person }) => PlannedCall;
const read = (operation: string, path: string, weight: number, plan: Read) => {
  command(operation, weight, {}, plan);
  if (looked.has(path)) looks.push((shop) => plan(shop, { caller: owner }));
};
/** A visitor reads something. */
const visit = (operation: string, path: string, answerOf: (shop: Shop) => Answer, weight = 1) =>
  read(operation, path, weight, (shop) => ({ method: 'GET', path, does: () => answerOf(shop) }));
/** The owner reads something. */
const desk = (operation: string, path: string, bodyOf: (shop: Shop) => unknown, weight = 1) =>
  read(operation, path, weight, (shop, { caller }) => {
    return { as: caller, method: 'GET', path, does: () => yes(bodyOf(shop)) };
  });
type Items<Item> = (shop: Shop) => readonly Item[];
/** The owner does something with a book, an order or a customer; `json` is sent. */
const one = <Item extends { id: string }, Json extends object | undefined>(
  operation: string,
  weight: number,
  [itemsOf, method, pathOf]: [Items<Item>, Call['method'], (id: string) => string],
  json: fc.Arbitrary<Json>,
  does: (shop: Shop, item: Item, json: Json) => Answer,
) =>
  command(operation, weight, { index, json }, (shop, { caller, index, json }) => {
    const item = at(itemsOf(shop), index);
    if (!item) return undefined;
    return { as: caller, method, path: pathOf(item.id), json, does: () => does(shop, item, json) };
  });
const empty = fc.constant(undefined);
const books = ({ books }: Shop) => books;
const orders = ({ orders }: Shop) => orders;
const customers = ({ customers }: Shop) => customers;

// The catalogue, for visitors.

visit('listBooks', paths.books, (shop) => yes(forSale(shop).map(listed)), 4);
visit('listBooks', `${paths.books}?sort=price`, (shop) =>
  yes(
    newestFirst(forSale(shop))
      .sort((one, other) => one.cents - other.cents)
      .map(listed),
  ),
);
for (const word of ['emma', 'dune', 'austen', 'england']) {
  visit('listBooks', `${paths.books}?q=${word}&spelling=as-typed`, (shop) => {
    const textOf = ({ title, author, keywords }: Book) => `${title} ${author} ${keywords}`.toLowerCase();
    const found = forSale(shop).filter((book) => textOf(book).includes(word));
    // Without a match the store searches for other words, which the model does not know.
    return yes(found.length > 0 ? new Set(found.map(listed)) : undefined);
  });
}
/** The version of each book that an editor has seen. */
const seen = new WeakMap<Book, number>();
command('findBook', 4, { index }, ({ books }, { index }) => {
  const book = at(books, index);
  if (!book) return undefined;
  const does = () => {
    if (book.deletedAt !== null) return no('BOOK_NOT_FOUND');
    seen.set(book, book.version);
    return yes(show.inStock(book));
  };
  return { method: 'GET', path: paths.book(book.id), does };
});
command('listBooksBeside', 1, { index }, (shop, { index }) => {
  const book = at(shop.books, index);
  if (!book) return undefined;
  const byAuthor = forSale(shop).filter((other) => other !== book && other.author === book.author);
  const found = yes({ byAuthor: byAuthor.slice(0, 12).map(listed) });
  const does = () => (book.deletedAt === null ? found : no('BOOK_NOT_FOUND'));
  return { method: 'GET', path: paths.beside(book.id), does };
});
visit('readFront', paths.front, (shop) => yes(show.front(shop)));
visit('suggest', `${paths.suggest}?q=jane%20austen`, (shop) => {
  const count = forSale(shop).filter(({ author }) => author === 'Jane Austen').length;
  return yes(count > 0 ? { authors: [{ author: 'Jane Austen', count }] } : undefined);
});
visit('listSitemaps', paths.sitemap, () => yes());
visit('readSitemap', paths.sitemapPart('pages.xml'), () => yes());
visit('readFeed', paths.feed, (shop) =>
  yes(
    forSale(shop)
      .slice(0, 50)
      .map(({ id }) => id),
  ),
);

// Sessions.

command('findSession', 2, { by: buyer }, (shop, { by }) => {
  const user = { userName: by.name, email: by.email, hasNoReceipts: by.isVerified ? undefined : true };
  return { by, method: 'GET', path: paths.session, does: () => yes(shop.signedIn(by) ? user : null) };
});
command('signOut', 2, { by: buyer, everywhere: fc.boolean() }, (shop, { by, everywhere }) => {
  const does = () => {
    const customer = everywhere ? shop.signedIn(by) : undefined;
    const session = shop.browsers.get(by);
    shop.browsers.delete(by);
    if (everywhere && !customer) return no('SIGN_IN_REQUIRED');
    shop.endSessions((one) => (everywhere ? one.customer === customer : one === session));
    return yes(undefined, 204);
  };
  return { by, method: 'POST', path: paths.signOut, json: { everywhere }, does };
});
command('endSessionsOfProvider', 1, { who: buyer }, (shop, { who }) => {
  const text = { type: 'application/x-www-form-urlencoded', body: `logout_token=${who.name}` };
  const does = () => {
    shop.endSessions(({ customer }) => customer.person === who && !customer.isErased);
    return yes();
  };
  return { method: 'POST', path: paths.backchannelLogout, text, does };
});

// Ways to get a book.

visit('listWays', paths.ways, ({ ways }) => yes(ways.map(show.way)));
desk('listWaysOfShop', deskPaths.ways, ({ ways }) => ways.map(show.way));
const wayId = fc.constantFrom('post', 'post', 'here');
const place = fc.constantFrom(undefined, 1, 2);
const settings = { id: wayId, cents: fc.constantFrom(0, 490, 600), asksAddress: fc.boolean(), place };
command('setWay', 1, settings, (shop, { caller, place, ...way }) => {
  const does = () => {
    shop.setWay({ ...way, name: `By ${way.id}` }, place);
    return yes(shop.ways.map(show.way));
  };
  const { cents, asksAddress } = way;
  const json = { name: `By ${way.id}`, price: { value: cents / 100 }, asksAddress, position: place };
  return { as: caller, method: 'POST', path: deskPaths.way(way.id), json, does };
});
command('removeWay', 2, { id: wayId }, (shop, { caller, id }) => {
  const does = () => answer(shop.removeWay(id), (left) => left.map(show.way));
  return { as: caller, method: 'POST', path: deskPaths.wayRemove(id), does };
});

// Orders, for customers.

const address = fc.constantFrom('', '1 Hartfield Lane\nHighbury', 'Randalls');
const purchase = { as: buyer, index, key, address, isLost: fc.boolean(), isAnothers: rarely, isLate: rarely };
/** The book that an order names: none, its own, or the one at an index, which is seldom its own. */
const named = fc.oneof(fc.constant(undefined), fc.constant('own' as const), index);
const otherCents = fc.option(cents, { freq: 6, nil: undefined });
/** The way of an order: mostly the first of the shop, if it has any. */
const way = fc.constantFrom('first', 'first', 'first', 'first', 'post', undefined);
const isWrong = fc.constantFrom(undefined, false, false, true);
const gift = fc.constantFrom(null, null, '', 'For Ada');
const chosenParts = { ...purchase, named, otherCents, way, isWrong, gift };
command('placeOrder', 16, chosenParts, (shop, { as, index, key, named, gift, ...given }) => {
  const book = at(shop.books, index);
  if (!book) return undefined;
  const [{ title, author }, cents] = [book, given.otherCents ?? book.cents];
  const time = new Date(shop.now - Number(given.isLate) * 5 * day).toDateString();
  const email = given.isAnothers ? 'somebody@example.com' : as.email;
  const bookId = named === 'own' ? book.id : named === undefined ? undefined : at(shop.books, named)?.id;
  const way = given.way === 'first' ? shop.ways[0]?.id : given.way;
  const right = cents + (shop.ways.find(({ id }) => id === way)?.cents ?? 0);
  const totalCents = given.isWrong === undefined ? undefined : right + Number(given.isWrong);
  const json = {
    ...{ title, author, price: cents / 100, time, email, deliveryAddress: given.address, bookId, way },
    ...(totalCents !== undefined && { total: totalCents / 100 }),
    ...(gift !== null && { gift: { text: gift } }),
  };
  const request = { title, author, cents, time, address: given.address, bookId, way, totalCents, gift };
  const does = (customer: Customer) => {
    if (given.isAnothers) return no('NOT_ALLOWED');
    const order = shop.buy(customer, request, key ?? unique(), !given.isLate);
    return answer(order, show.ownOrder(shop), 201);
  };
  const isLost = given.isLost && key !== undefined;
  return { as, method: 'POST', path: paths.addOrder, json, ...keyed(key), isLost, does };
});
/** A buyer does something with an order; another customer may not. */
const own = <Json extends object>(
  operation: string,
  weight: number,
  [method, pathOf]: [Call['method'], (id: string) => string],
  json: fc.Arbitrary<Json>,
  does: (shop: Shop, order: Order, json: Json) => Answer,
) =>
  command(operation, weight, { index, json, isStranger: rarely }, (shop, { index, json, isStranger }) => {
    const order = at(shop.orders, index);
    if (!order) return undefined;
    const as = isStranger ? bob : order.buyer.person;
    const mine = (customer: Customer) =>
      customer === order.buyer ? does(shop, order, json) : no('NOT_ALLOWED');
    return { as, method, path: pathOf(order.id), json, does: mine };
  });
const reason = fc.record({ reason: fc.constantFrom('', ' I have it already. ') });
own('withdrawOrder', 5, ['POST', withdrawalPaths.order], reason, (shop, order, { reason }) =>
  answer(shop.withdraw(order, 'customer', reason), show.withdrawn),
);
const deliveryAddress = fc.record({ deliveryAddress: address });
own('correctAddress', 2, ['PATCH', paths.order], deliveryAddress, (shop, order, { deliveryAddress }) =>
  answer(shop.correctAddress(order, deliveryAddress), show.ownOrder(shop)),
);
command('findAddress', 1, { as: buyer }, (shop, { as }) => {
  const does = (customer: Customer) => {
    const last = shop.orders.findLast(({ buyer, address }) => buyer === customer && address !== null);
    return yes(last ? { deliveryAddress: last.address } : null);
  };
  return { as, method: 'GET', path: paths.address, does };
});
const ordersOf = (shop: Shop, customer: Customer) =>
  newestFirst(shop.orders.filter(({ buyer }) => buyer === customer));
command('listOrders', 4, { as: buyer, isAnothers: rarely }, (shop, { as, isAnothers }) => {
  const does = (customer: Customer) =>
    isAnothers ? no('NOT_ALLOWED') : yes(ordersOf(shop, customer).map(show.listedOrder(shop)));
  return { as, method: 'GET', path: paths.allOrder(isAnothers ? 'x@example.com' : as.email), does };
});
command('findOwnOrder', 2, { index, isStranger: rarely }, (shop, { index, isStranger }) => {
  const order = at(shop.orders, index);
  if (!order) return undefined;
  const does = (customer: Customer) =>
    customer === order.buyer ? yes(show.listedOrder(shop)(order)) : no('ORDER_NOT_FOUND');
  return { as: isStranger ? bob : order.buyer.person, method: 'GET', path: paths.order(order.id), does };
});

// The catalogue, for the owner.

command('addBook', 4, { details, free, key, isLost: fc.boolean() }, (shop, given) => {
  const { details, free, key, caller } = given;
  const does = () => answer(shop.addBook({ ...details, free }, key ?? unique()), listed, 201);
  const [json, isLost] = [sent({ ...details, free }), given.isLost && key !== undefined];
  return { as: caller, method: 'POST', path: paths.addBook, json, ...keyed(key), isLost, does };
});
const edit = fc.record({ title, cents, keywords, free }, { requiredKeys: [] });
const matched = fc.constantFrom('seen', 'seen', 'seen', '*', '*', '*', 'none');
const copiesWas = fc.constantFrom(undefined, undefined, undefined, 1);
command('editBook', 8, { index, edit, matched, copiesWas }, (shop, { index, edit, matched, ...given }) => {
  const book = at(shop.books, index);
  const version = book && seen.get(book);
  if (!book || (matched === 'seen' && version === undefined)) return undefined;
  const was = given.copiesWas === undefined ? {} : { free: given.copiesWas };
  const does = () => {
    if (matched === 'none') return no('PRECONDITION_REQUIRED');
    const expected = { ...was, ...(matched === 'seen' && version && { version }) };
    return answer(shop.edit(book, edit, expected), listed);
  };
  const ifMatch = matched === 'seen' ? book.id.replace('book', 'etag') : matched;
  const headers: Record<string, string> = matched === 'none' ? {} : { 'if-match': ifMatch };
  const json = { ...sent(edit), ...(given.copiesWas !== undefined && { copiesWas: given.copiesWas }) };
  return { as: given.caller, method: 'PATCH', path: paths.book(book.id), json, headers, does };
});
/** Books that are sold out or deleted come first: a further action on one of these finds more faults. */
const first = (time: 'soldOutAt' | 'deletedAt') => (shop: Shop) => {
  return [...shop.books.filter((book) => book[time] !== null), ...shop.books];
};
const restore = (shop: Shop, book: Book): Answer => {
  shop.restore(book);
  return yes(listed(book));
};
const deletion = { index, isUndone: fc.boolean() };
command('deleteBook', 4, deletion, (shop, { caller, index, isUndone }) => {
  const book = at(first('soldOutAt')(shop), index);
  if (!book) return undefined;
  const does = () => {
    shop.remove(book);
    return yes({ _id: book.id, deleted: true });
  };
  const path = paths.restoreBook(book.id);
  const undo: PlannedCall = { as: caller, method: 'POST', path, does: () => restore(shop, book) };
  const next = isUndone ? { next: undo } : {};
  return { as: caller, method: 'DELETE', path: paths.deleteBook(book.id), does, ...next };
});
one('restoreBook', 4, [first('deletedAt'), 'POST', paths.restoreBook], empty, restore);
const deskBooks = (shop: Shop, books: readonly Book[]) => books.map(show.deskBook(shop));
one('findDeskBook', 2, [books, 'GET', deskPaths.book], empty, (shop, book) => yes(show.deskBook(shop)(book)));
const by = fc.constantFrom({ by: -1 }, { by: 1 }, { by: 2 });
one('changeCopies', 4, [books, 'POST', deskPaths.bookCopies], by, (shop, book, { by }) =>
  answer(shop.addCopies(book, by), show.deskBook(shop)),
);
const choice = fc.constantFrom({ isOn: true }, { isOn: true }, { isOn: false });
one('setOnFrontTable', 3, [books, 'POST', deskPaths.bookFrontTable], choice, (shop, book, { isOn }) =>
  answer(shop.putOnTable(book, isOn), show.deskBook(shop)),
);
const soldOut = (shop: Shop) => show.lastFirst(shop, 'soldOutAt');
desk('listDeskBooks', deskPaths.books, (shop) => deskBooks(shop, [...forSale(shop), ...soldOut(shop)]));
desk('listDeskBooks', `${deskPaths.books}?state=deleted`, (shop) =>
  deskBooks(shop, show.lastFirst(shop, 'deletedAt')),
);
const table = (shop: Shop) => ({ ...shop.words, books: shop.onTable().map(listed) });
desk('findFrontTable', deskPaths.frontTable, table);
const words = fc.constantFrom({ heading: 'At sea' }, { heading: '' }, { words: ' Chosen. ' });
command('editFrontTable', 2, { words }, (shop, { caller, words }) => {
  const does = () => {
    for (const [name, text] of Object.entries(words)) Object.assign(shop.words, { [name]: text.trim() });
    return yes(table(shop));
  };
  return { as: caller, method: 'PATCH', path: deskPaths.frontTable, json: words, does };
});
command('editFrontTable', 2, { indexes: several }, (shop, { caller, indexes }) => {
  const books = chosen(shop.books, indexes);
  const does = () => answer(shop.setTable(books), () => table(shop));
  const json = { books: books.map(({ id }) => id) };
  return { as: caller, method: 'PATCH', path: deskPaths.frontTable, json, does };
});

// Changes of many books, and files.

const versions = (books: readonly Book[], isStale: boolean) =>
  books.map(({ id, version }) => ({ _id: id, version: version - Number(isStale) }));
const change = fc.constantFrom({ price: { value: 5 } }, { pricePercent: -10 }, { isDeleted: true });
const many = { indexes: several, isStale: rarely };
command('changeBooks', 2, { ...many, change, dryRun: rarely }, (shop, { change, dryRun, ...given }) => {
  const books = chosen(shop.books, given.indexes);
  if (books.length === 0) return undefined;
  const target = ({ cents }: Book) => {
    if ('isDeleted' in change) return change;
    return { cents: 'price' in change ? 500 : Math.floor((cents * 9 + 5) / 10) };
  };
  const does = () => yes(shop.changeEach(books, target, { isStale: given.isStale, isDryRun: dryRun }));
  const json = { books: versions(books, given.isStale), change, dryRun };
  return { as: given.caller, method: 'POST', path: deskPaths.booksChange, json, does };
});
const back = fc.constantFrom({ price: 12.99 }, { isDeleted: false });
command('undoBooks', 2, { ...many, back }, (shop, { indexes, isStale, back, caller }) => {
  const books = chosen(shop.books, indexes);
  if (books.length === 0) return undefined;
  const target = () => ('price' in back ? { cents: 1299 } : back);
  const does = () => yes(shop.changeEach(books, target, { isStale, isDryRun: false }));
  const json = { books: versions(books, isStale).map((book) => ({ ...book, ...back })) };
  return { as: caller, method: 'POST', path: deskPaths.booksUndo, json, does };
});
const csvOf = (columns: readonly string[], rows: readonly (readonly string[])[]) =>
  [columns, ...rows].map(csvLine).join('');
const row = fc.record({ details, free, index: fc.option(index, { nil: undefined }) });
const file = {
  rows: fc.array(row, { minLength: 1, maxLength: 4 }),
  hasCopies: fc.boolean(),
  isDryRun: rarely,
};
command('importBooks', 4, file, (shop, { rows, hasCopies, isDryRun, caller }) => {
  const wanted = rows.map(({ details, free, index }) => ({
    id: index === undefined ? undefined : at(shop.books, index)?.id,
    details: { ...details, ...(hasCopies && { free }) },
  }));
  const columns = ['id', 'title', 'author', 'price', 'image', 'keywords', ...(hasCopies ? ['copies'] : [])];
  const cells = wanted.map(({ id = '', details: { title, author, cents, image, keywords, free } }) => {
    const copies = hasCopies ? [String(free ?? '')] : [];
    return [id, title, author, priceText(cents), image, keywords ?? '', ...copies];
  });
  const text = { type: 'text/csv', body: csvOf(columns, cells) };
  const does = () => yes({ type: 'result', ...shop.importRows(wanted, isDryRun) });
  // The list has the ids of the books that were added.
  const listing = () => yes(deskBooks(shop, [...forSale(shop), ...soldOut(shop)]));
  const next: PlannedCall = { as: owner, method: 'GET', path: deskPaths.books, does: listing };
  const path = `${deskPaths.booksImport}?dryRun=${isDryRun}`;
  return { as: caller, method: 'POST', path, text, does, next };
});
desk('exportBooks', deskPaths.booksExport, ({ books }) => {
  const kept = books.filter(({ deletedAt }) => deletedAt === null);
  const rows = kept.map(({ id, title, author, image, cents, keywords, free }) => {
    const [price, copies] = [priceText(cents), String(free ?? '')];
    const cells: Record<string, string> = {
      id,
      title,
      author,
      image,
      price,
      copies,
      keywords: keywords ?? '',
    };
    return csvColumns.map((column) => cells[column] ?? '');
  });
  return csvOf(csvColumns, rows);
});

// Orders, for the owner.

desk('listDeskOrders', deskPaths.orders, (shop) => inState(shop).map(show.deskOrder), 3);
for (const state of ['new', 'sent', 'withdrawn'] as const) {
  desk('listDeskOrders', `${deskPaths.orders}?state=${state}`, (shop) =>
    inState(shop, state).map(show.deskOrder),
  );
}
desk('listDeskOrders', `${deskPaths.orders}?q=ada@example.com%20emma`, (shop) => {
  const found = inState(shop).filter(({ email, title }) => email === ada.email && title === 'Emma');
  return found.map(show.deskOrder);
});
desk('countOrders', deskPaths.orderCounts, show.counts);
desk('findToday', deskPaths.today, (shop) => ({
  toSend: inState(shop, 'new').length,
  toRefund: inState(shop, 'withdrawn').filter(({ refundedAt }) => refundedAt === null).length,
  failedMail: shop.orders.filter((order) => show.mailState(order) === 'given-up').length,
  soldOut: soldOut(shop).length,
  orders: inState(shop).slice(0, 10).map(show.deskOrder),
}));
desk('exportOrders', `${deskPaths.ordersExport}?format=jsonl`, ({ orders }) => orders.map(show.deskOrder));
one('findOrder', 2, [orders, 'GET', deskPaths.order], empty, (_, order) =>
  yes({ order: show.deskOrder(order) }),
);
command('markOrders', 4, { indexes: several, isNew: rarely }, (shop, { caller, indexes, isNew }) => {
  const orders = chosen(shop.orders, indexes);
  if (orders.length === 0) return undefined;
  const does = () => answer(shop.mark(orders, !isNew), () => new Set(orders.map(show.marked)));
  const json = { ids: orders.map(({ id }) => id), isSent: !isNew };
  return { as: caller, method: 'POST', path: deskPaths.ordersSent, json, does };
});
// This shop has no way to pay, so nothing is due, and no entry of a bank names an order.
command('markPaid', 1, { indexes: several, isPaid: fc.boolean() }, (shop, { caller, indexes, isPaid }) => {
  const ids = chosen(shop.orders, indexes).map(({ id }) => id);
  if (ids.length === 0) return undefined;
  const does = () => yes([]);
  return { as: caller, method: 'POST', path: deskPaths.ordersPaid, json: { ids, isPaid }, does };
});
command('importPayments', 1, { count: fc.nat(3) }, (_, { caller, count }) => {
  const rows = Array.from({ length: count }, () => ['2026-11-23', 'K7M3PQRT', '12.99', 'USD']);
  const text = csvOf(['Date', 'Reference', 'Amount', 'Currency'], rows);
  const json = { file: Buffer.from(text).toString('base64') };
  const does = () => yes({ marked: 0, known: 0, leftCount: count });
  return { as: caller, method: 'POST', path: deskPaths.paymentsImport, json, does };
});
const note = fc.constantFrom({ note: '' }, { note: 'Called.' });
one('noteOrder', 3, [orders, 'POST', deskPaths.orderNote], note, (_, order, { note }) => {
  if (order.email === '') return no('CUSTOMER_NOT_FOUND');
  order.note = note || null;
  return yes(show.deskOrder(order));
});
one('setAddress', 2, [orders, 'PATCH', deskPaths.order], deliveryAddress, (shop, order, json) =>
  answer(shop.correctAddress(order, json.deliveryAddress), show.deskOrder),
);
one('withdrawForShop', 3, [orders, 'POST', deskPaths.orderWithdraw], reason, (shop, order, { reason }) =>
  answer(shop.withdraw(order, 'shop', reason), show.deskOrder),
);
const settlement = fc.record({ isRefunded: fc.boolean(), isReturned: fc.boolean() }, { requiredKeys: [] });
const settled = settlement.filter((marks) => Object.keys(marks).length > 0);
one('settleOrder', 4, [orders, 'POST', deskPaths.orderSettle], settled, (shop, order, marks) =>
  answer(shop.settle(order, marks), show.deskOrder),
);
desk('listSales', deskPaths.sales, (shop) => show.salesByDay(shop, 30));
desk('exportSales', deskPaths.salesExport, (shop) => {
  const sales = show.salesByDay(shop, 30);
  const rows = sales.map(({ from, to, orders, revenue, delivery }) => {
    return [from, to, String(orders), revenue.toFixed(2), delivery.toFixed(2)];
  });
  return csvOf(['from', 'to', 'orders', 'revenue', 'delivery'], rows);
});
desk('listBestSellers', deskPaths.bestSellers, show.bestSellers, 2);

// Mail and webhooks.

for (const state of [undefined, 'waiting', 'sent', 'given-up', 'unverified']) {
  desk('listMail', `${deskPaths.mail}?state=${state ?? 'all'}`, (shop) => {
    return { mode: 'sent', messages: show.listedMail(shop, state).map(show.deskMail) };
  });
}
one('readMail', 1, [orders, 'GET', deskPaths.mailOf], empty, (_, order) => yes(show.deskMail(order)));
one('retryMail', 2, [orders, 'POST', deskPaths.mailRetry], empty, (shop, order) => {
  shop.retryMail(order);
  return yes(show.deskMail(order));
});
desk('listWebhooks', deskPaths.webhooks, ({ events }) => {
  const shown = events.map(({ type, order }) => ({ type, orderId: order.id, state: 'waiting' }));
  return { mode: 'sent', events: new Set(shown) };
});
command('retryWebhook', 1, {}, (_, { caller }) => {
  const path = deskPaths.webhookRetry('no-such-event');
  return { as: caller, method: 'POST', path, does: () => no('NOT_FOUND') };
});

// Customers, for the owner.

const found = (shop: Shop) => shop.customers.filter(({ isErased }) => !isErased);
for (const { email } of people) {
  desk('findCustomers', `${deskPaths.customers}?q=${email}`, (shop) =>
    found(shop)
      .filter(({ person }) => person.email === email)
      .map(show.deskCustomer(shop)),
  );
}
desk('findCustomers', `${deskPaths.customers}?sort=newest`, (shop) =>
  newestFirst(found(shop)).slice(0, 10).map(show.deskCustomer(shop)),
);
/** The owner does something with a customer whom the shop still knows. */
const known = (
  operation: string,
  route: [Items<Customer>, Call['method'], (id: string) => string],
  does: (shop: Shop, customer: Customer) => Answer,
) =>
  one(operation, 2, route, empty, (shop, customer) =>
    customer.isErased ? no('CUSTOMER_NOT_FOUND') : does(shop, customer),
  );
known('exportCustomer', [customers, 'GET', deskPaths.customerExport], (shop, customer) => {
  const { id, person } = customer;
  const orders = newestFirst(ordersOf(shop, customer)).map(show.deskOrder);
  return yes({ customer: { _id: id, email: person.email }, orders });
});
known('signOutCustomer', [customers, 'POST', deskPaths.customerSignOut], (shop, customer) =>
  yes({ sessions: shop.endSessions((session) => session.customer === customer) }),
);
/** An account of the owner is neither blocked nor erased: the owner would be locked out. */
const ownersOwn = ({ person }: Customer) => person.isOwner;
one('blockCustomer', 2, [customers, 'POST', deskPaths.customerBlock], empty, (shop, customer) =>
  ownersOwn(customer) ? no('NOT_ALLOWED') : answer(shop.block(customer, true), show.deskCustomer(shop)),
);
known('unblockCustomer', [customers, 'POST', deskPaths.customerUnblock], (shop, customer) =>
  answer(shop.block(customer, false), show.deskCustomer(shop)),
);
one('eraseCustomer', 3, [customers, 'POST', deskPaths.customerErase], empty, (shop, customer) =>
  ownersOwn(customer) ? no('NOT_ALLOWED') : yes({ erased: true, orders: shop.erase(customer) }),
);
// The model has no audit trail: the answers of the two engines are compared with each other.
desk('listActivity', deskPaths.activity, () => undefined);

// Faults.

export const ended = 'a node ends, and another one starts in its place';
command(ended, 1, { node: rarely.map(Number) }, (_, { node }) => ({
  happens: (engine) => engine.restart(node),
  does() {},
}));
/**
 * An hour after midnight. If the session of the owner would then be idle for eleven to twelve hours, it is the time when twelve are over:
 * otherwise a use that an ended node has not stored would decide if the session lasts.
 */
const overMidnight = ({ now, sessions }: Shop): number => {
  const then = (Math.floor(now / day) + 1) * day + hour;
  const used = sessions.find(({ customer }) => customer.person.isOwner)?.lastSeenAt ?? now;
  return then > used + 11 * hour && then < used + 12 * hour ? used + 12 * hour : then;
};
for (const [fault, weight, until] of [
  ['the clock goes over midnight', 2, overMidnight],
  ['the owner is away for half a day', 1, ({ now }: Shop) => now + 12 * hour],
  ['everybody is away for eight days', 1, ({ now }: Shop) => now + 8 * day],
] as const) {
  command(fault, weight, {}, (shop) => ({
    happens: async () => {},
    does: () => Object.assign(shop, { now: until(shop) }),
  }));
}
const mailGoesOut = (shop: Shop): PlannedFault | undefined => {
  // An address gets ten receipts an hour. The tests of mail have more.
  const lately = shop.orders.flatMap(({ email, mail }) =>
    mail
      .filter(
        (message) =>
          isToBuyer(message) && (message.dueAt ? shop.now : (message.sentAt ?? 0)) > shop.now - hour,
      )
      .map(() => email),
  );
  const receipts = Map.groupBy(lately, (email) => email);
  if ([...receipts.values()].some((ofAddress) => ofAddress.length > 10)) return undefined;
  const bounces = (address: string) => people.some((one) => one.bounces && one.email === address);
  return { happens: (engine) => engine.sendMail(bounces), does: () => shop.sendMail() };
};
const sweep = (shop: Shop): PlannedFault => ({
  happens: (engine) => engine.sweep(),
  does: () => shop.endSessions(({ lastSeenAt }) => shop.now - lastSeenAt >= 7 * day),
});
command('the mail goes out', 5, {}, mailGoesOut);
command('an hour’s sweep', 5, {}, sweep);

/** The end of each sequence: waiting work is done, and the owner reads everything. */
export const ending: readonly ((shop: Shop) => Plan)[] = [mailGoesOut, sweep, ...looks];

export const allCommands: readonly Command[] = commands;

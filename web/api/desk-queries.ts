/** Every call that the desk makes, apart from those that the shop makes too. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Book, BookChanges } from '../../contract/book.ts';
import type { ActivityEntry } from '../../contract/desk/activity.ts';
import type { DeskBook } from '../../contract/desk/books.ts';
import type { DeskCustomer, ErasedCustomer } from '../../contract/desk/customers.ts';
import type { FrontTable, FrontWords } from '../../contract/desk/front-table.ts';
import type { DeskMailContent, DeskMails } from '../../contract/desk/mail.ts';
import type { DeskOrder } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { BestSeller, Sales } from '../../contract/desk/sales.ts';
import type { DeskWebhooks } from '../../contract/desk/webhooks.ts';
import { paths } from '../../contract/paths.ts';
import { changeLists, type Filters, list, listOf, read, withFilters } from './calls.ts';
import { ApiProblem, callApi } from './client.ts';

export {
  downloadAddress,
  type Filters,
  type ListPage as DeskPage,
  type ListQuery as DeskListQuery,
  withFilters,
} from './calls.ts';

/** @returns true if the account may not use the desk (403). */
export const isRefused = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.status === 403;

/** Shows a changed item in the lists that have it. */
export const replaceInLists = <Item extends { _id: string }>(
  queryClient: QueryClient,
  key: readonly ['desk', string],
  changed: Item,
): Promise<void> =>
  changeLists<Item>(queryClient, key, (items) =>
    items.map((item) => (item._id === changed._id ? changed : item)),
  );

/** Takes an item out of the lists, such as one that was deleted. */
export const takeOutOfLists = (
  queryClient: QueryClient,
  key: readonly ['desk', string],
  id: string,
): Promise<void> =>
  changeLists<{ _id: string }>(queryClient, key, (items) => items.filter(({ _id }) => _id !== id));

/** The audit trail, newest first. */
export const activityQuery = (filters: Filters) => list<ActivityEntry>('desk', deskPaths.activity, filters);

/** Prefix of the keys of all lists of books. */
export const deskBooksKey = ['desk', deskPaths.books] as const;

/** The books for sale or the deleted ones. */
export const deskBooksQuery = (filters: Filters) => list<DeskBook>('desk', deskPaths.books, filters);

/** A book with its version, which a change of it is based on. */
export type VersionedBook = { book: DeskBook; etag: string };

/** @throws {ApiProblem} with status 404 when the book was deleted. */
export const fetchDeskBook = async (id: string, signal?: AbortSignal): Promise<VersionedBook> => {
  const { body, headers } = await callApi<DeskBook>(deskPaths.book(id), signal && { signal });
  return { book: body, etag: headers.get('etag') ?? '' };
};

/** The book to edit, as it is when the editing begins. */
export const editedBookQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'edited book', id],
    queryFn: ({ signal }) => fetchDeskBook(id, signal),
    staleTime: 0,
    gcTime: 0,
  });

/**
 * Changes a book.
 * @returns it with its new version.
 * @throws {ApiProblem} with status 412 when another version than that of `etag` is stored.
 */
export const editBook = async (
  id: string,
  json: BookChanges,
  etag: string,
): Promise<{ book: Book; etag: string }> => {
  const ifMatch = { 'if-match': etag };
  const { body, headers } = await callApi<Book>(paths.book(id), { method: 'PATCH', json, headers: ifMatch });
  return { book: body, etag: headers.get('etag') ?? '' };
};

/** @param by how many copies come, or, below 0, were sold elsewhere. @throws {ApiProblem} SOLD_OUT. */
export const changeCopies = async (id: string, by: number): Promise<DeskBook> =>
  (await callApi<DeskBook>(deskPaths.bookCopies(id), { method: 'POST', json: { by } })).body;

/** Puts a book on the front table, or takes it off; again it changes nothing. @throws {ApiProblem} FRONT_TABLE_FULL. */
export const setOnFrontTable = async (id: string, isOn: boolean): Promise<DeskBook> =>
  (await callApi<DeskBook>(deskPaths.bookFrontTable(id), { method: 'POST', json: { isOn }, keepalive: true }))
    .body;

/** The front table as the owner has made it. */
export const frontTableQuery = queryOptions({
  queryKey: ['desk', deskPaths.frontTable],
  queryFn: async ({ signal }) => (await callApi<FrontTable>(deskPaths.frontTable, { signal })).body,
  staleTime: 0,
  gcTime: 0,
});

/** Changes the words of the front table. */
export const editFrontTable = async (json: FrontWords): Promise<FrontTable> =>
  (await callApi<FrontTable>(deskPaths.frontTable, { method: 'PATCH', json })).body;

/** Prefix of the keys of all lists of mail. */
export const deskMailKey = ['desk', deskPaths.mail] as const;

/** The mail of the orders, newest first. */
export const deskMailQuery = (filters: Filters) =>
  listOf('desk', deskPaths.mail, filters, ({ messages, mode }: DeskMails) => ({
    body: messages,
    mode,
  }));

/** The messages of one order. */
export const mailContentQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'mail of', id],
    queryFn: async ({ signal }) => (await callApi<DeskMailContent>(deskPaths.mailOf(id), { signal })).body,
    gcTime: 0,
  });

/** Sends the mail of an order again, from now on. */
export const retryMail = async (id: string): Promise<void> => {
  await callApi(deskPaths.mailRetry(id), { method: 'POST' });
};

/** Prefix of the keys of all lists of events. */
export const deskWebhooksKey = ['desk', deskPaths.webhooks] as const;

/** The events that another program is told, newest first. */
export const deskWebhooksQuery = (filters: Filters) =>
  listOf('desk', deskPaths.webhooks, filters, ({ events, mode }: DeskWebhooks) => ({
    body: events,
    mode,
  }));

/** Sends an event again that was given up. */
export const retryWebhook = async (id: string): Promise<void> => {
  await callApi(deskPaths.webhookRetry(id), { method: 'POST' });
};

/** Prefix of the keys of all lists of customers. */
export const deskCustomersKey = ['desk', deskPaths.customers] as const;

/** The store finds no customer by fewer characters. */
export const minCustomerSearch = 3;

/** The customers with an e-mail or a name that begins with a text. */
export const customersQuery = (q: string) =>
  list<DeskCustomer>('desk', deskPaths.customers, { q }, { forgives: true });

/** The ten customers who came last, or who paid most. */
export const someCustomersQuery = (sort: 'newest' | 'best') =>
  list<DeskCustomer>('desk', deskPaths.customers, { sort });

/** A customer's orders, newest first. */
export const customerOrdersQuery = (id: string) => list<DeskOrder>('desk', deskPaths.customerOrders(id));

/** Ends all sessions of a customer. @returns how many there were. */
export const signOutCustomer = async (id: string): Promise<number> =>
  (await callApi<{ sessions: number }>(deskPaths.customerSignOut(id), { method: 'POST' })).body.sessions;

/** Keeps a customer out, or lets one in again. */
export const blockCustomer = async (id: string, isBlocked: boolean): Promise<DeskCustomer> => {
  const path = isBlocked ? deskPaths.customerBlock(id) : deskPaths.customerUnblock(id);
  return (await callApi<DeskCustomer>(path, { method: 'POST' })).body;
};

/** Removes the person from everything that the store has. It cannot be undone; it can be repeated. */
export const eraseCustomer = async (id: string): Promise<ErasedCustomer> =>
  (await callApi<ErasedCustomer>(deskPaths.customerErase(id), { method: 'POST' })).body;

/** The sales of each day, week or month, oldest first. */
export const salesQuery = (filters: Filters) => read<Sales[]>('desk', deskPaths.sales, filters);

/** The books of which most was sold. */
export const bestSellersQuery = (filters: Filters) =>
  read<BestSeller[]>('desk', deskPaths.bestSellers, filters);

/** Fails with status 403 for an account that may not use the desk. */
export const admissionQuery = queryOptions({
  queryKey: ['desk', 'admission'],
  queryFn: async ({ signal }) => {
    await callApi(withFilters(deskPaths.activity, { limit: '1' }), { signal });
    return true;
  },
});

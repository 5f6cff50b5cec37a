/** Every call that the desk makes, apart from those that the shop makes too. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import type { Book, BookChanges } from '../../contract/book.ts';
import type { ActivityEntry } from '../../contract/desk/activity.ts';
import type { DeskBook } from '../../contract/desk/books.ts';
import type { DeskCustomer, ErasedCustomer } from '../../contract/desk/customers.ts';
import type { FrontTable, FrontWords } from '../../contract/desk/front-table.ts';
import type { DeskMail, DeskMailContent, DeskMails } from '../../contract/desk/mail.ts';
import type { DeskOrder, MarkedOrder, MarkOrders, Settlement } from '../../contract/desk/orders.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { BestSeller, Sales } from '../../contract/desk/sales.ts';
import type { DeskWebhook, DeskWebhooks } from '../../contract/desk/webhooks.ts';
import { maxPageSize } from '../../contract/next-page.ts';
import { paths } from '../../contract/paths.ts';
import { ApiProblem, type ApiResponse, apiOrigin, callApi } from './client.ts';

/** The filters of a list, by the name of the query's parameter. An empty text is left out. */
export type Filters = Readonly<Record<string, string>>;

/** @returns the path with these parameters. */
export const withFilters = (path: string, filters: Filters): string => {
  const parameters = new URLSearchParams(Object.entries(filters).filter(([, value]) => value));
  return `${parameters}` ? `${path}?${parameters}` : path;
};

/** @returns true if the account may not use the desk (403). */
export const isRefused = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.status === 403;

/** The address of a file that the browser downloads. */
export const downloadAddress = (path: string, filters: Filters = {}): string =>
  new URL(withFilters(path, filters), apiOrigin).href;

/** A page of a list of the desk. */
export type DeskPage<Item> = ApiResponse<Item[]> & {
  /** The filters that the page is a response to. A list that is shown may be that of earlier ones. */
  filters: Filters;
  /** Nothing matches the search: these are similar. */
  isSimilar?: boolean;
  /** In the list of mail alone: what becomes of mail in this shop. */
  mode?: DeskMails['mode'];
};

type FetchPage<Item> = (path: string, filters: Filters, signal: AbortSignal) => Promise<DeskPage<Item>>;

/** A search that finds nothing goes on for so many pages by itself. Then the visitor decides. */
const maxEmptyPages = 20;

/** The store may send an empty page that is not the last one: it has read a part of the list, and nothing matches. */
const fetchPage = async <Item>(
  path: string,
  filters: Filters,
  signal: AbortSignal,
): Promise<DeskPage<Item>> => {
  let page = await callApi<Item[]>(path, { signal });
  for (let pages = 1; pages < maxEmptyPages && page.body.length === 0 && page.next; pages += 1) {
    page = await callApi<Item[]>(page.next, { signal });
  }
  return { ...page, filters };
};

/** Fetches what is similar, if a search finds nothing. */
const fetchForgiven = async <Item>(
  path: string,
  filters: Filters,
  signal: AbortSignal,
): Promise<DeskPage<Item>> => {
  const page = await fetchPage<Item>(path, filters, signal);
  const isLaterPage = new URLSearchParams(path.split('?')[1]).has('cursor');
  if (page.body.length > 0 || page.next || isLaterPage || !filters['q']) return page;
  return { ...(await fetchPage<Item>(`${path}&spelling=similar`, filters, signal)), isSimilar: true };
};

/** A list of the desk, page by page. It is never shown from a cache: the desk shows what is stored now. */
const deskListQuery = <Item>(path: string, filters: Filters, fetch: FetchPage<Item> = fetchPage) =>
  infiniteQueryOptions({
    queryKey: ['desk', path, filters],
    queryFn: ({ pageParam, signal }) => fetch(pageParam, filters, signal),
    initialPageParam: withFilters(path, filters),
    getNextPageParam: (page) => page.next,
    gcTime: 0,
  });
export type DeskListQuery<Item> = ReturnType<typeof deskListQuery<Item>>;

/**
 * Shows a change in the lists that were fetched, without fetching their pages again.
 * @param key prefix of their keys.
 */
export const changeLists = async <Item>(
  queryClient: QueryClient,
  key: readonly string[],
  change: (items: Item[], filters: Filters) => Item[],
): Promise<void> => {
  // A response that is still on its way may have the items as they were.
  await queryClient.cancelQueries({ queryKey: key });
  queryClient.setQueriesData<InfiniteData<DeskPage<Item>>>(
    { queryKey: key },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({ ...page, body: change(page.body, page.filters) })),
      },
  );
  // A list whose first response was on its way has nothing to change yet.
  void queryClient.refetchQueries({
    queryKey: key,
    type: 'active',
    predicate: ({ state }) => state.data === undefined,
  });
};

/** Shows a changed item in the lists that have it. */
export const replaceInLists = <Item extends { _id: string }>(
  queryClient: QueryClient,
  key: readonly string[],
  changed: Item,
): Promise<void> =>
  changeLists<Item>(queryClient, key, (items) =>
    items.map((item) => (item._id === changed._id ? changed : item)),
  );

/** Takes an item out of the lists, such as one that was deleted. */
export const takeOutOfLists = (queryClient: QueryClient, key: readonly string[], id: string): Promise<void> =>
  changeLists<{ _id: string }>(queryClient, key, (items) => items.filter(({ _id }) => _id !== id));

/** The audit trail, newest first. */
export const activityQuery = (filters: Filters) => deskListQuery<ActivityEntry>(deskPaths.activity, filters);

/** Prefix of the keys of all lists of orders. */
export const deskOrdersKey = ['desk', deskPaths.orders] as const;

/** The orders of all customers, newest first. */
export const deskOrdersQuery = (filters: Filters) =>
  deskListQuery<DeskOrder>(deskPaths.orders, filters, fetchForgiven);

/** Marks orders as sent, or takes the mark back. One that is marked already stays as it is, so it can be repeated. */
export const markOrders = async ({ ids, isSent }: MarkOrders): Promise<MarkedOrder[]> => {
  const marked: MarkedOrder[] = [];
  for (let start = 0; start < ids.length; start += maxPageSize) {
    const json: MarkOrders = { ids: ids.slice(start, start + maxPageSize), isSent };
    marked.push(...(await callApi<MarkedOrder[]>(deskPaths.ordersSent, { method: 'POST', json })).body);
  }
  return marked;
};

/** Withdraws or cancels an order; again it changes nothing. */
export const withdrawForShop = async (id: string, reason: string): Promise<DeskOrder> => {
  const json = reason.trim() ? { reason } : {};
  return (await callApi<DeskOrder>(deskPaths.orderWithdraw(id), { method: 'POST', json })).body;
};

/** Notes what became of a withdrawn order. */
export const settleOrder = async (id: string, json: Settlement): Promise<DeskOrder> =>
  (await callApi<DeskOrder>(deskPaths.orderSettle(id), { method: 'POST', json, keepalive: true })).body;

/** Changes where an order is sent. @throws {ApiProblem} ALREADY_SENT. */
export const setAddress = async (id: string, deliveryAddress: string): Promise<DeskOrder> =>
  (await callApi<DeskOrder>(deskPaths.order(id), { method: 'PATCH', json: { deliveryAddress } })).body;

/** Prefix of the keys of all lists of books. */
export const deskBooksKey = ['desk', deskPaths.books] as const;

/** The books for sale or the deleted ones. */
export const deskBooksQuery = (filters: Filters) => deskListQuery<DeskBook>(deskPaths.books, filters);

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

const fetchMailPage: FetchPage<DeskMail> = async (path, filters, signal) => {
  const { body, ...page } = await callApi<DeskMails>(path, { signal });
  return { ...page, body: body.messages, mode: body.mode, filters };
};

/** The mail of the orders, newest first. */
export const deskMailQuery = (filters: Filters) => deskListQuery(deskPaths.mail, filters, fetchMailPage);

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

const fetchWebhooksPage: FetchPage<DeskWebhook> = async (path, filters, signal) => {
  const { body, ...page } = await callApi<DeskWebhooks>(path, { signal });
  return { ...page, body: body.events, mode: body.mode, filters };
};

/** The events that another program is told, newest first. */
export const deskWebhooksQuery = (filters: Filters) =>
  deskListQuery(deskPaths.webhooks, filters, fetchWebhooksPage);

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
  deskListQuery<DeskCustomer>(deskPaths.customers, { q }, fetchForgiven);

/** The ten customers who came last, or who paid most. */
export const someCustomersQuery = (sort: 'newest' | 'best') =>
  deskListQuery<DeskCustomer>(deskPaths.customers, { sort });

/** A customer's orders, newest first. */
export const customerOrdersQuery = (id: string) => deskListQuery<DeskOrder>(deskPaths.customerOrders(id), {});

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
export const salesQuery = (filters: Filters) =>
  queryOptions({
    queryKey: ['desk', deskPaths.sales, filters],
    queryFn: async ({ signal }) =>
      (await callApi<Sales[]>(withFilters(deskPaths.sales, filters), { signal })).body,
    gcTime: 0,
  });

/** The books of which most was sold. */
export const bestSellersQuery = (filters: Filters) =>
  queryOptions({
    queryKey: ['desk', deskPaths.bestSellers, filters],
    queryFn: async ({ signal }) =>
      (await callApi<BestSeller[]>(withFilters(deskPaths.bestSellers, filters), { signal })).body,
    gcTime: 0,
  });

/** Fails with status 403 for an account that may not use the desk. */
export const admissionQuery = queryOptions({
  queryKey: ['desk', 'admission'],
  queryFn: async ({ signal }) => {
    await callApi(withFilters(deskPaths.activity, { limit: '1' }), { signal });
    return true;
  },
});

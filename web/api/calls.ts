/** The forms of the store's calls: `read` and `list` are queries, `send` changes something. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Filters, withFilters } from '../../contract/paths.ts';
import { callApi } from './client.ts';

/** The first part of a query's key: queries of one room are removed from the cache together. */
export type Room = 'session' | 'home' | 'book' | 'catalogue' | 'orders' | 'customer' | 'desk';

/** One response. It is fetched whenever a screen shows it, unless a query says otherwise. */
export const read = <Body>(room: Room, path: string, filters: Filters = {}) =>
  queryOptions({
    queryKey: [room, path, filters] as const,
    queryFn: async ({ signal }) => (await callApi<Body>(withFilters(path, filters), { signal })).body,
    gcTime: 0,
  });

export type ListPage<Item> = {
  body: Item[];
  next: string | undefined;
  /** The filters that the page was asked for with: the list that is shown may be of earlier ones. */
  filters: Filters;
  headers: Headers;
  /** Nothing matches: these are similar. */
  isSimilar?: boolean;
  /** Lists of messages say whether the shop sends them, only shows them, or neither. */
  mode?: 'off' | 'sent' | 'shown';
};

type ListOptions = {
  /** A search that finds nothing is sent again, for what is similar. */
  forgives?: boolean;
};

/** A list whose response is an array, page by page. */
export const list = <Item>(room: Room, path: string, filters: Filters = {}, options: ListOptions = {}) =>
  listOf(room, path, filters, (body: Item[]) => ({ body }), options);

export type ListQuery<Item> = ReturnType<typeof list<Item>>;

/** As {@link list}. @param pageOf finds the items in another response. */
export const listOf = <Body, Item>(
  room: Room,
  path: string,
  filters: Filters,
  pageOf: (body: Body) => Pick<ListPage<Item>, 'body' | 'mode'>,
  { forgives = false }: ListOptions = {},
) => {
  const first = withFilters(path, filters);
  /** The store may send an empty page that is not the last one: it has read a part of the list, and nothing matches. */
  const fetchPage = async (address: string, signal: AbortSignal): Promise<ListPage<Item>> => {
    const { body, next, headers } = await callApi<Body>(address, { signal });
    const page = pageOf(body);
    if (page.body.length === 0 && next) return await fetchPage(next, signal);
    return { ...page, next, headers, filters };
  };
  return infiniteQueryOptions({
    queryKey: [room, path, filters] as const,
    queryFn: async ({ pageParam, signal }): Promise<ListPage<Item>> => {
      const page = await fetchPage(pageParam, signal);
      const isNothing = pageParam === first && page.body.length === 0;
      if (!forgives || !isNothing || !filters['q']) return page;
      const similar = withFilters(path, { ...filters, spelling: 'similar' });
      return { ...(await fetchPage(similar, signal)), isSimilar: true };
    },
    initialPageParam: first,
    getNextPageParam: (page) => page.next,
    gcTime: 0,
  });
};

/** A call that changes something. @returns the response. */
export const send = async <Body = void>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  json?: unknown,
  options: { headers?: Record<string, string>; signal?: AbortSignal; keepalive?: boolean } = {},
): Promise<Body> => (await callApi<Body>(path, { method, json, ...options })).body;

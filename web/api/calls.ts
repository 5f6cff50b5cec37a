/** The forms of the store's calls: `read` and `list` are queries, `send` changes something. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Filters, withFilters } from '../../contract/paths.ts';
import { callApi } from './client.ts';

/** The first part of the query's key. All queries with the same first part leave the cache together. */
export type Room = 'session' | 'home' | 'book' | 'catalogue' | 'orders' | 'customer' | 'desk';

/** A query for one response. It is fetched whenever a screen shows it, unless its options say otherwise. */
export const read = <Body>(room: Room, path: string, filters: Filters = {}) =>
  queryOptions({
    queryKey: [room, path, filters] as const,
    queryFn: async ({ signal }) => (await callApi<Body>(withFilters(path, filters), { signal })).body,
    gcTime: 0,
  });

export type ListPage<Item> = {
  body: Item[];
  next: string | undefined;
  /** The filters of the request: while a new list is on its way, the list on the screen has earlier filters. */
  filters: Filters;
  headers: Headers;
  /** True if nothing matches, and the items are only similar. */
  isSimilar?: boolean;
};

type ListOptions = {
  /** If a search finds nothing, the query is sent again for similar items. */
  forgives?: boolean;
};

/** A list whose response is an array, page by page. */
export const list = <Item>(room: Room, path: string, filters: Filters = {}, options: ListOptions = {}) =>
  listOf(room, path, filters, (body: Item[]) => body, options);

export type ListQuery<Item> = ReturnType<typeof list<Item>>;

/** Like {@link list}, for other responses. @param itemsOf finds the items in a response. */
export const listOf = <Body, Item>(
  room: Room,
  path: string,
  filters: Filters,
  itemsOf: (body: Body) => Item[],
  { forgives = false }: ListOptions = {},
) => {
  const first = withFilters(path, filters);
  /** The store may send an empty page before the last one: it has read a part of the list without a match. */
  const fetchPage = async (address: string, signal: AbortSignal): Promise<ListPage<Item>> => {
    const { body, next, headers } = await callApi<Body>(address, { signal });
    const items = itemsOf(body);
    if (items.length === 0 && next) return await fetchPage(next, signal);
    return { body: items, next, headers, filters };
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

/** Every call that the desk makes, apart from those that the shop makes too. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ActivityEntry } from '../../contract/desk-activity.ts';
import { deskPaths } from '../../contract/desk-paths.ts';
import { ApiProblem, type ApiResponse, callApi } from './client.ts';

/** What a list is restricted to, by the name of the query's parameter. An empty text is left out. */
export type Filters = Readonly<Record<string, string>>;

/** @returns the path with these parameters. */
export const withFilters = (path: string, filters: Filters): string => {
  const parameters = new URLSearchParams(Object.entries(filters).filter(([, value]) => value));
  return parameters.size > 0 ? `${path}?${parameters}` : path;
};

/** Whether the account may not use the desk (403). */
export const isRefused = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.status === 403;

/** A page of a list of the desk. */
export type DeskPage<Item> = ApiResponse<Item[]> & {
  /** What the page is a response to. A list that is shown may be that of earlier filters. */
  filters: Filters;
};

/** The store may send an empty page that is not the last one: it has read a part of the list, and nothing matches. */
const fetchPage = async <Item>(
  path: string,
  filters: Filters,
  signal: AbortSignal,
): Promise<DeskPage<Item>> => {
  let page = await callApi<Item[]>(path, { signal });
  while (page.body.length === 0 && page.next) page = await callApi<Item[]>(page.next, { signal });
  return { ...page, filters };
};

/** A list of the desk, page by page. It is never shown from a cache: the desk shows what is stored now. */
const deskListQuery = <Item>(path: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['desk', path, filters],
    queryFn: ({ pageParam, signal }) => fetchPage<Item>(pageParam, filters, signal),
    initialPageParam: withFilters(path, filters),
    getNextPageParam: (page) => page.next,
    gcTime: 0,
  });
export type DeskListQuery<Item> = ReturnType<typeof deskListQuery<Item>>;

/** The audit trail, newest first. */
export const activityQuery = (filters: Filters) => deskListQuery<ActivityEntry>(deskPaths.activity, filters);

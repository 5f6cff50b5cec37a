/** Every question the browser app asks: its key, its address, its answer. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Book, NewBook, SortOrder } from '../contract/book.ts';
import type { UploadedImage } from '../contract/image.ts';
import type { NewOrder, Order } from '../contract/order.ts';
import { paths } from '../contract/paths.ts';
import type { Session } from '../contract/session.ts';
import { ask, sendForm } from './api.ts';
import { store } from './store.ts';

const minuteMs = 60_000;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await ask<Session>(paths.session, { signal })).body,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** What a visitor asked the shelf for; with no words and newest first it is the plain list. */
export type ShelfSearch = { q: string; sort: SortOrder };

/** All lists that home has shown. They are thrown away together when the catalogue changes. */
export const shelfKey = ['shelf'] as const;

const shelfAddress = ({ q, sort }: ShelfSearch): string => {
  const parameters = new URLSearchParams();
  if (q) parameters.set('q', q);
  if (sort !== 'newest') parameters.set('sort', sort);
  return parameters.size > 0 ? `${paths.books}?${parameters}` : paths.books;
};

export const shelfQuery = (search: ShelfSearch) =>
  infiniteQueryOptions({
    queryKey: [...shelfKey, search],
    queryFn: ({ pageParam, signal }) => ask<Book[]>(pageParam, { signal }),
    initialPageParam: shelfAddress(search),
    getNextPageParam: (page) => page.next,
    // Back from a checkout shows the list as it was left, at once and without asking again.
    staleTime: 5 * minuteMs,
    gcTime: 30 * minuteMs,
  });

export const catalogueQuery = infiniteQueryOptions({
  queryKey: ['catalogue'],
  queryFn: ({ pageParam, signal }) => ask<Book[]>(pageParam, { signal }),
  initialPageParam: shelfAddress({ q: '', sort: 'newest' }),
  getNextPageParam: (page) => page.next,
  // Whoever changes the catalogue wants to see it as it is, not as it was.
  gcTime: 0,
});

export const bookQuery = (id: string) =>
  queryOptions({
    queryKey: ['book', id],
    queryFn: async ({ signal }) => (await ask<Book>(paths.book(id), { signal })).body,
    // A checkout never opens on a remembered price.
    gcTime: 0,
  });

/** All order histories seen in this tab. */
export const ordersKey = ['orders'] as const;

export const ordersQuery = (email: string) =>
  infiniteQueryOptions({
    queryKey: [...ordersKey, email],
    queryFn: ({ pageParam, signal }) => ask<Order[]>(pageParam, { signal }),
    initialPageParam: paths.allOrder(email),
    getNextPageParam: (page) => page.next,
  });

/** Places the order once per key, however often it is sent. */
export const placeOrder = async (order: NewOrder, idempotencyKey: string): Promise<void> => {
  await ask(paths.addOrder, { method: 'POST', json: order, headers: { 'idempotency-key': idempotencyKey } });
};

export const addBook = async (book: NewBook): Promise<void> => {
  await ask(paths.addBook, { method: 'POST', json: book });
};

export const removeBook = async (id: string): Promise<void> => {
  await ask(paths.deleteBook(id), { method: 'DELETE' });
};

export const restoreBook = async (id: string): Promise<void> => {
  await ask(paths.restoreBook(id), { method: 'POST' });
};

export const signOut = async (): Promise<void> => {
  await ask(paths.signOut, { method: 'POST' });
};

/** Uploads to the image host and answers the address that the book keeps. */
export const uploadImage = async (file: File, signal: AbortSignal): Promise<string> => {
  const form = new FormData();
  form.set('key', store.imageHost.key);
  form.set('image', file);
  return (await sendForm<UploadedImage>(store.imageHost.url, form, signal)).data.display_url;
};

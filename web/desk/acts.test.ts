import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { ListPage } from '../api/calls.ts';
import { showChanges } from './acts.tsx';

type Row = { _id: string; state: string };

/** A client that shows a list of these filters, and a count. */
const openDesk = async (filters: Record<string, string>, body: Row[]) => {
  const client = new QueryClient();
  let counts = 0;
  const page: ListPage<Row> = { body, next: undefined, filters, headers: new Headers() };
  const list = new InfiniteQueryObserver(client, {
    queryKey: ['desk', '/list', filters],
    queryFn: () => page,
    initialPageParam: '',
    getNextPageParam: () => undefined,
  });
  const count = new QueryObserver(client, { queryKey: ['desk', '/counts'], queryFn: () => (counts += 1) });
  list.subscribe(() => undefined);
  count.subscribe(() => undefined);
  await client.refetchQueries();
  counts = 0;
  return {
    client,
    rows: () => list.getCurrentResult().data?.pages.flatMap((shown) => shown.body),
    counts: () => counts,
  };
};

const rows = [
  { _id: 'a', state: 'new' },
  { _id: 'b', state: 'new' },
];

test('a changed row is shown where it is listed, one that is gone is not, and all else is fetched again', async () => {
  const desk = await openDesk({ state: '' }, rows);
  await showChanges(desk.client, '/list', { changed: [{ _id: 'a', state: 'sent' }], gone: ['b'] });
  expect(desk.rows()).toEqual([{ _id: 'a', state: 'sent' }]);
  await expect.poll(desk.counts).toBe(1);
});

test('a changed row leaves the list whose filter no longer has it', async () => {
  const desk = await openDesk({ state: 'new', q: 'bronte' }, rows);
  await showChanges(desk.client, '/list', { changed: [{ _id: 'a', state: 'sent' }] });
  expect(desk.rows()).toEqual([{ _id: 'b', state: 'new' }]);
});

test('a row of the same id in another list stays as it is', async () => {
  const desk = await openDesk({ state: '' }, rows);
  await showChanges(desk.client, '/other', { changed: [{ _id: 'a', state: 'sent' }], gone: ['b'] });
  expect(desk.rows()).toEqual(rows);
});

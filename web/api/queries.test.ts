import { beforeAll, expect, test, vi } from 'vitest';
import { stubPage } from './stubbed-page.ts';

const fetchStub = stubPage();
let queries: typeof import('./queries.ts');

// The module reads the page's configuration when it is imported.
beforeAll(async () => {
  queries = await import('./queries.ts');
  return () => vi.unstubAllGlobals();
});

const page = (books: readonly string[], next?: string) =>
  Response.json(books, next === undefined ? {} : { headers: { link: `<${next}>; rel="next"` } });

test('a list whose first pages are empty begins with the first page that has books', async () => {
  fetchStub
    .mockResolvedValueOnce(page([], '/books?q=zoo&cursor=1'))
    .mockResolvedValueOnce(page([], '/books?q=zoo&cursor=2'))
    .mockResolvedValueOnce(page(['a book'], '/books?q=zoo&cursor=3'));
  const { QueryClient } = await import('@tanstack/react-query');

  const list = await new QueryClient().fetchInfiniteQuery(
    queries.bookListQuery({ q: 'zoo', sort: 'newest' }),
  );

  expect(list.pages).toEqual([{ body: ['a book'], next: '/books?q=zoo&cursor=3' }]);
  expect(fetchStub.mock.calls.map(([address]) => String(address))).toEqual([
    'https://shop.example/books?q=zoo',
    'https://shop.example/books?q=zoo&cursor=1',
    'https://shop.example/books?q=zoo&cursor=2',
  ]);
});

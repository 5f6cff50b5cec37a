import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { stubPage } from '../testing/stubbed-page.ts';

const fetchStub = stubPage();
let queries: typeof import('./catalogue.ts');

// The module reads the page's configuration when it is imported.
beforeAll(async () => {
  queries = await import('./catalogue.ts');
  return () => vi.unstubAllGlobals();
});

beforeEach(() => fetchStub.mockReset());

const page = (books: readonly string[], next?: string) =>
  Response.json(books, next === undefined ? {} : { headers: { link: `<${next}>; rel="next"` } });

const fetchList = async (search: import('../../contract/book-search.ts').BookSearch) => {
  const { QueryClient } = await import('@tanstack/react-query');
  return await new QueryClient().fetchInfiniteQuery(queries.bookListQuery(search));
};

const calledAddresses = () => fetchStub.mock.calls.map(([address]) => String(address));

const jane = { q: 'jane', sort: 'best', isAsTyped: false, filters: {} } as const;

test('a list whose first pages are empty begins with the first page that has books', async () => {
  fetchStub
    .mockResolvedValueOnce(page([], '/books?q=zoo&cursor=1'))
    .mockResolvedValueOnce(page([], '/books?q=zoo&cursor=2'))
    .mockResolvedValueOnce(page(['a book'], '/books?q=zoo&cursor=3'));

  const list = await fetchList({ ...jane, q: 'zoo' });

  expect(list.pages).toMatchObject([{ body: ['a book'], next: '/books?q=zoo&cursor=3' }]);
  expect(calledAddresses()).toEqual([
    'https://shop.example/books?q=zoo',
    'https://shop.example/books?q=zoo&cursor=1',
    'https://shop.example/books?q=zoo&cursor=2',
  ]);
});

test('only an order that is not the default is sent', async () => {
  const searches = {
    '/books': { ...jane, q: '', sort: 'newest' },
    '/books?sort=price': { ...jane, q: '', sort: 'price' },
    '/books?q=jane': jane,
    '/books?q=jane&sort=newest': { ...jane, sort: 'newest' },
    '/books?q=jane&spelling=as-typed': { ...jane, isAsTyped: true },
  } as const;
  for (const search of Object.values(searches)) {
    fetchStub.mockResolvedValueOnce(page([]));
    await fetchList(search);
  }
  expect(calledAddresses()).toEqual(Object.keys(searches).map((path) => `https://shop.example${path}`));
});

test('a page has the words that the store searched for instead, and similar ones, in any script', async () => {
  const headers = {
    'corrected-query': encodeURIComponent('преступление и'),
    'similar-words': encodeURIComponent('紅樓夢 jane'),
  };
  fetchStub.mockResolvedValueOnce(Response.json([], { headers })).mockResolvedValueOnce(page([]));

  const [corrected, plain] = [await fetchList(jane), await fetchList(jane)];

  const [forgiven, none] = [corrected, plain].map(({ pages }) =>
    queries.forgivenIn(pages[0]?.headers ?? new Headers()),
  );
  expect(forgiven).toMatchObject({ correctedQuery: 'преступление и', similarWords: ['紅樓夢', 'jane'] });
  expect(none).toMatchObject({ correctedQuery: undefined, similarWords: [] });
});

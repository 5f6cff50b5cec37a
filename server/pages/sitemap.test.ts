import { describe, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook, type BookForSale } from '../catalogue/books.ts';
import { openTestStore, setUpTestStore } from '../testing/test-store.ts';

const store = setUpTestStore({ settings: { publicUrl: new URL('https://books.example') } });

const pagesSitemap = 'https://books.example/sitemaps/pages.xml';
const partAddress = (number: number) => `https://books.example/sitemaps/books-${number}.xml`;

const read = async (path: string): Promise<string> => {
  const response = await store.call(path);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/xml; charset=utf-8',
  ]);
  return await response.text();
};
const locationsIn = (xml: string): string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, location = '']) => location);
const index = async () => locationsIn(await read(paths.sitemap));

/** Adds a book with this `seq`, as if `seq - 1` books had been added before. */
async function addAt(seq: number): Promise<BookForSale> {
  const { db } = store.database;
  const details = { title: `Volume ${seq}`, author: 'A. Writer', image: '', priceCents: 100 };
  const book = await addBook(db, details, null);
  await db.updateTable('books').set({ seq }).where('id', '=', book.id).execute();
  store.database.catalogueVersion.recordLocalChange();
  return book;
}

async function remove({ id }: BookForSale): Promise<void> {
  const { db, catalogueVersion } = store.database;
  await db.updateTable('books').set({ removed_at: Date.now() }).where('id', '=', id).execute();
  catalogueVersion.recordLocalChange();
}

describe('the sitemap', () => {
  test('lists the pages of the books for sale in parts, which later books do not move, and none without a book', async () => {
    expect(await index()).toEqual([pagesSitemap]);
    expect(locationsIn(await read('/sitemaps/pages.xml'))).toEqual(['https://books.example/']);
    const first = await addAt(1);
    const last = await addAt(5_000);
    const next = await addAt(5_001);
    const distant = await addAt(112_000);

    expect(await index()).toEqual([pagesSitemap, ...[1, 2, 23].map(partAddress)]);
    const booksIn = async (number: number) =>
      locationsIn(await read(paths.sitemapPart(`books-${number}.xml`)));
    const pageOf = ({ id }: BookForSale) => `https://books.example/books/${id}`;
    const author = 'https://books.example/authors/a-writer';
    expect(await booksIn(1)).toEqual([...[first, last].map(pageOf), author]);
    expect(await booksIn(23)).toEqual([pageOf(distant), author]);

    await remove(last);
    await remove(next);
    expect(await index()).toEqual([pagesSitemap, ...[1, 23].map(partAddress)]);
    expect(await booksIn(1)).toEqual([pageOf(first), author]);
    for (const file of ['books-2.xml', 'books-0.xml', 'books-01.xml', 'books-1', 'books--1.xml', 'a']) {
      expect((await store.call(paths.sitemapPart(file))).status, file).toBe(404);
    }
  });

  test('has each book of a part once with the day of its addition, however many there are', async () => {
    const about = { image: '', price_cents: 100, search_text: '', title_sort: '' };
    const authors = (number: number) => Array.from({ length: 30 }, (_, index) => `A${number}B${index}`);
    const added_at = Date.UTC(2026, 0, 31, 23, 59);
    const rows = Array.from({ length: 2_050 }, (_, number) => ({
      id: `b${number}`,
      title: 'T',
      author: authors(number).join(', '),
      ...about,
      added_at,
    }));
    await store.database.db.insertInto('books').values(rows).execute();

    const part = await read('/sitemaps/books-1.xml');

    const book0 = '<url><loc>https://books.example/books/b0</loc><lastmod>2026-01-31</lastmod></url>';
    expect(part).toContain(book0);
    // The authors whose pages have no room come with other books.
    expect([locationsIn(part).length, new Set(locationsIn(part)).size]).toEqual([50_000, 50_000]);
    expect(locationsIn(part).filter((address) => address.includes('/books/'))).toHaveLength(2_050);
  });

  test('is compressed, and a 304 until the catalogue changes', async () => {
    await addAt(1);
    const ask = (path: string, etag = '') =>
      store.call(path, { headers: { 'accept-encoding': 'br', 'if-none-match': etag } });
    for (const path of [paths.sitemap, paths.sitemapPart('books-1.xml')]) {
      const response = await ask(path);
      expect(response.headers.get('content-encoding')).toBe('br');
      expect(response.headers.get('vary')).toBe('accept-encoding');
      const etag = response.headers.get('etag') ?? '';
      expect((await ask(path, etag)).status).toBe(304);

      await addAt(path === paths.sitemap ? 5_001 : 2);

      expect((await ask(path, etag)).status).toBe(200);
    }
  });
});

/** @returns true if a crawler may read an address (RFC 9309, section 2.2.2, without wildcards). */
const admits = (robots: string, path: string) =>
  !robots.split('\n').some((line) => {
    const [, start] = /^Disallow: (.+)$/.exec(line) ?? [];
    return start !== undefined && path.startsWith(start);
  });

test('robots.txt admits crawlers to pages, to what these load, and to no other call', async () => {
  const response = await store.call(paths.robots);
  const robots = await response.text();

  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(robots).toMatch(/^User-agent: \*\n/);
  expect(robots).toContain('\nSitemap: https://books.example/sitemap.xml\n');
  const open = [
    ...['/', '/home', '/books/1', '/checkout/1', '/books', '/book/1', '/images/a.webp', '/auth/session'],
    ...['/login', '/orders', '/admin', '/sitemaps/books-1.xml', '/feed.atom', '/assets/a.js'],
  ];
  expect(open.filter((path) => !admits(robots, path))).toEqual([]);
  const closed = [
    ...['/books?cursor=a', '/allOrder/a', '/deleteBook/a', '/auth/sign-in', '/auth/callback?a'],
    ...['/addOrder', '/addBook', '/1/upload', '/metrics', '/openapi.json'],
  ];
  expect(closed.filter((path) => admits(robots, path))).toEqual([]);
});

test('the manifest has the store’s name', async () => {
  const shop = await openTestStore({ storeName: 'Reed & "Sons"' });

  const response = await shop.call(paths.manifest);
  const manifest = await response.json();

  expect(response.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
  expect(manifest).toMatchObject({ name: 'Reed & "Sons"', start_url: '/', display: 'browser' });
});

test('files for programs are there for HEAD, and for reads alone', async () => {
  const files = [paths.robots, paths.sitemap, paths.sitemapPart('pages.xml'), paths.manifest, paths.feed];
  for (const path of files) {
    const head = await store.call(path, { method: 'HEAD' });
    const post = await store.call(path, { method: 'POST' });

    expect([path, head.status, await head.text()]).toEqual([path, 200, '']);
    expect([path, post.status, post.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
  }
});

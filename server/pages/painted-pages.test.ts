import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Book } from '../../contract/book.ts';
import type { BookDetails } from '../../contract/book-fields.ts';
import { searchHeaders } from '../../contract/book-search.ts';
import { nextPagePath } from '../../contract/next-page.ts';
import { paths, screens } from '../../contract/paths.ts';
import { type PageToRender, type RenderedPage, rendererFile } from '../../contract/rendered-page.ts';
import { addBook } from '../catalogue/books.ts';
import { exchange } from '../testing/exchange.ts';
import { createStoreDatabase, isOnPostgres } from '../testing/test-database.ts';
import { openTestStore, readJson, setUpTestStore, type TestStore } from '../testing/test-store.ts';

/** A renderer that shows its input. It throws for the page of a book with a certain title. */
const renderer = `
export const render = ({ path, search, responses, storeConfig }) => {
  if (responses.book?.title === 'Not to Be Rendered') throw new Error('this screen cannot be rendered');
  globalThis.renderings.push({ path, search, responses });
  return {
    root: storeConfig.name + ' at ' + path,
    head: '<link rel="stylesheet" crossorigin href="/assets/screen.css" />',
    screen: { chunk: 'screen', responses },
  };
};`;

declare global {
  var renderings: Pick<PageToRender, 'path' | 'search' | 'responses'>[];
}
globalThis.renderings = [];
afterEach(() => {
  globalThis.renderings = [];
});

const builtFiles = { [rendererFile]: renderer, '.vite/manifest.json': '{}' };
const store = setUpTestStore({ builtFiles });

const emma = { title: 'Emma', author: 'Jane Austen', image: '', priceCents: 1290 };
/** Adds a book. What PostgreSQL announces of it would be one more change to the pages, so it is waited for. */
async function add(book: Partial<BookDetails> = {}, { database } = store) {
  const { databaseChanges } = database.catalogueVersion;
  if (isOnPostgres()) await expect.poll(databaseChanges).not.toBeNaN();
  const before = databaseChanges();
  const added = await addBook(database.db, { ...emma, ...book }, null);
  if (isOnPostgres()) await expect.poll(databaseChanges).not.toBe(before);
  return added;
}

const htmlOf = async (path: string, of: Pick<TestStore, 'call'> = store) =>
  await (await of.call(path, { headers: { accept: 'text/html' } })).text();

/** @returns the screen in the page, and the responses with which it was painted. */
function partsOf(html: string) {
  const block = /<script type="application\/json" id="painted-screen">(.*?)<\/script>/.exec(html)?.[1];
  const screen: RenderedPage['screen'] | undefined = block === undefined ? undefined : JSON.parse(block);
  return {
    root: /<div id="root">(.*?)<\/div>/.exec(html)?.[1],
    screen,
  };
}

describe('the painted home screen', () => {
  test('has the front of the shop, for every visitor the same bytes, and is rendered once for each catalogue', async () => {
    await add();
    const front = await (await store.call('/front')).json();

    const first = await htmlOf('/');
    const signedIn = await (await store.call('/', { cookie: await store.signIn() })).text();

    expect(partsOf(first)).toMatchObject({ root: 'Colophon at /', screen: { responses: { front } } });
    expect(first).toContain('<link rel="stylesheet" crossorigin href="/assets/screen.css" />');
    expect(signedIn).toBe(first);
    expect(await htmlOf('/?utm_source=friend')).toBe(first);
    expect(globalThis.renderings).toHaveLength(1);

    await add({ title: 'Persuasion' });
    const titles = async () =>
      partsOf(await htmlOf('/')).screen?.responses.front?.table.books.map(({ title }) => title);
    // PostgreSQL announces a change by another connection.
    await expect.poll(titles).toEqual(['Persuasion', 'Emma']);
  });

  test('is rendered for each request of a search', async () => {
    for (const address of ['/?q=emma', '/home?sort=title', '/?utm=1&subject=Novels']) {
      globalThis.renderings = [];
      const pages = [await htmlOf(address), await htmlOf(address)];

      const [path, search] = address.split('?');
      expect(globalThis.renderings).toMatchObject(Array(2).fill({ path, search }));
      expect(partsOf(pages[0] ?? '').root).toBe(`Colophon at ${path}`);
    }
  });

  test('is the last good one while the database is unavailable, and unpainted without one', async ({
    skip,
  }) => {
    skip(isOnPostgres(), 'a pool that this process has closed is a fault, not an outage');
    const lost = await openTestStore({ builtFiles });
    await add({}, lost);
    const good = await htmlOf('/', lost);
    await lost.database.close();

    const [known, unknown] = [await lost.call('/'), await lost.call('/home')];

    expect([known.status, await known.text()]).toEqual([200, good]);
    expect([unknown.status, partsOf(await unknown.text()).root]).toEqual([200, '']);
  });
});

describe('the painted page of a book', () => {
  test('has the book as its call has it, and its title as data, whatever that is', async () => {
    const scripts = ['</script><script>alert(1)</script>', '<!--<script>'];
    for (const title of ['Emma', ...scripts, 'one\u2028two', "$& $1 $' $` $$"]) {
      globalThis.renderings = [];
      const { id } = await add({ title, description: 'Handsome, clever, and rich.' });
      const book = await (await store.call(`/book/${id}`)).json();

      const html = await htmlOf(screens.book(id));

      expect(partsOf(html)).toMatchObject({
        root: `Colophon at /books/${id}`,
        screen: { chunk: 'screen', responses: { book } },
      });
      expect(html).not.toMatch(/<script>|<!--</);
      expect(await htmlOf(`${screens.book(id)}?utm=1`)).toBe(html);
      expect(globalThis.renderings).toHaveLength(1);
    }
  });

  test('whose screen cannot be rendered is sent without it, and the fault is logged', async () => {
    const logged: string[] = [];
    const other = await openTestStore({ builtFiles, onLog: (line) => logged.push(line) });
    const { id } = await add({ title: 'Not to Be Rendered' }, other);

    const parts = partsOf(await htmlOf(screens.book(id), other));

    expect(parts).toMatchObject({ root: '', screen: undefined });
    expect(logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([
      expect.stringContaining('this screen cannot be rendered'),
    ]);
  });
});

test('the list of a search, an author or a series is painted as the app would get it, a single book with what it leads to', async () => {
  for (let number = 1; number <= 210; number += 1)
    await add({ title: `Emma ${number}`, author: number > 205 ? 'Ada One' : emma.author, series: 'Works' });
  const { id } = await add({ title: 'Frost' });
  for (const [path, address] of [
    [screens.author('jane-austen'), '/books?author=jane-austen'],
    [screens.series('works'), '/books?series=works'],
    ['/?q=+emma&sort=price&utm=1', '/books?q=emma&sort=price'],
    ['/home?q=emmma&maxPrice=20', '/books?q=emmma&maxPrice=20'],
    ['/?q=nothing+here', '/books?q=nothing+here'],
    ['/?q=frost', '/books?q=frost'],
  ] as const) {
    const called = await store.call(address);
    const body = await readJson<Book[]>(called);

    const { front, list, book, beside } = partsOf(await htmlOf(path)).screen?.responses ?? {};

    expect(list, path).toMatchObject({ address, body });
    const named = searchHeaders.flatMap((name) => called.headers.get(name) ?? []);
    expect(Object.values(list?.headers ?? {}), path).toEqual(named);
    expect(list?.next, path).toBe(nextPagePath(called.headers.get('link'), store.origin));
    const isSearch = path.includes('q=');
    expect(front, path).toEqual(isSearch ? await readJson(await store.call('/front')) : undefined);
    if (body.length !== 1) expect([book, beside], path).toEqual([undefined, undefined]);
    else {
      expect(book).toEqual(await readJson(await store.call(paths.book(id))));
      expect(beside).toEqual(await readJson(await store.call(paths.beside(id))));
    }
  }
});

test('the page of a search that takes long is sent without its list', async () => {
  const { settings } = await createStoreDatabase();
  const slow = await openTestStore({ builtFiles, database: { ...settings, readTimeoutMs: 60_000 } });
  const { listDb, pools } = slow.database;
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const taken = Array.from({ length: pools()['lists']?.size ?? 0 }, () =>
    listDb.transaction().execute(() => isOver),
  );

  expect(partsOf(await htmlOf('/?q=emma', slow))).toEqual({ root: '', screen: undefined });

  end();
  await Promise.all(taken);
  expect(partsOf(await htmlOf('/?q=emma', slow)).root).toBe('Colophon at /');
});

test('a file of the build that is for the server alone is not public', async () => {
  for (const path of [`/${rendererFile}`, '/index.html', '/desk.html', '/.vite/manifest.json']) {
    expect((await store.call(path)).status, path).toBe(404);
  }
  expect((await store.call('/assets/home-abc123.js')).status).toBe(200);
});

test('the page of a screen that needs a session has the files of its screen, and how it waits', async () => {
  const checkout = screens.checkout((await add()).id);
  for (const path of ['/orders', '/admin', checkout, '/desk', '/desk/orders']) {
    globalThis.renderings = [];
    const html = await htmlOf(path);

    expect(html).toContain('<link rel="stylesheet" crossorigin href="/assets/screen.css" />\n  </head>');
    expect(partsOf(html)).toMatchObject({ root: `Colophon at ${path}`, screen: undefined });
    expect(globalThis.renderings).toEqual([{ path, search: '', responses: {} }]);
  }
});

test('the style sheets are named before the page itself arrives, and an unknown address is painted too', async () => {
  for (const path of ['/', '/?q=emma', '/login']) {
    const { headers } = await store.call(path, { headers: { accept: 'text/html' } });
    expect(headers.get('link'), path).toBe('</assets/screen.css>; rel=preload; as=style; crossorigin');
  }

  const unknown = await store.call('/no/such page?q=1', { headers: { accept: 'text/html' } });
  expect([unknown.status, partsOf(await unknown.text()).root]).toEqual([404, 'Colophon at /no/such%20page']);
});

test('a stored page does not answer a visitor at another name of this machine', async () => {
  const open = async (host: string) => {
    const request = `GET / HTTP/1.1\r\nhost: ${host}\r\nsec-fetch-dest: document\r\nconnection: close\r\n\r\n`;
    return Number((await exchange(store.origin, request)).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
  };

  expect([await open('localhost:3000'), await open('localhost:3000')]).toEqual([200, 200]);
  expect(await open('127.0.0.1:3000')).toBe(302);
});

test('a store paints with the renderer that was there at its start, though an upgrade has replaced the file', async () => {
  const loaded = `globalThis.renderings.push({ path: 'loaded', search: '', responses: {} });${renderer}`;
  const running = await openTestStore({ builtFiles: { ...builtFiles, [rendererFile]: loaded } });
  await expect.poll(() => globalThis.renderings.length).toBe(1);

  await writeFile(join(running.pagesFolder, rendererFile), 'throw new Error("of another build");');

  expect(partsOf(await htmlOf('/', running)).root).toBe('Colophon at /');
});

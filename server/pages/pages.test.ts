import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { BookDetails } from '../../contract/book-fields.ts';
import { screens } from '../../contract/paths.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { addBook, type BookForSale } from '../catalogue/books.ts';
import { cardPath } from '../images/cards.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { openTestStore, shareTestStore, type TestStoreOptions } from '../testing/test-store.ts';

const publicUrl = new URL('https://books.example');
const cover = `/images/${'0123456789abcdef'.repeat(2)}.webp`;
const mobyDick = { title: 'Moby-Dick', author: 'Herman Melville', image: cover, priceCents: 1290 };

const store = shareTestStore({ settings: { publicUrl } });

const add = (book: Partial<BookDetails> = {}, { database } = store): Promise<BookForSale> =>
  addBook(database.db, { ...mobyDick, ...book }, null);

const asBrowser = { headers: { accept: 'text/html,*/*;q=0.8' } };
const open = (path: string, of = store) => of.call(path, asBrowser);
const pageOf = async (path: string, of = store) => headOf(await (await open(path, of)).text());

const decode = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_all, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '',
  );

/** @returns the elements that a program reads in a page, without running it. */
function headOf(html: string) {
  const metas = [...html.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)" \/>/g)];
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1];
  return {
    title: decode(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? ''),
    metas: Object.fromEntries(metas.map(([, name = '', content = '']) => [name, decode(content)])),
    canonical: /<link rel="canonical" href="([^"]*)" \/>/.exec(html)?.[1],
    data: data === undefined ? undefined : JSON.parse(data),
    noScript: decode(/<noscript>([\s\S]*?)<\/noscript>/.exec(html)?.[1] ?? ''),
  };
}

describe('the page of a book', () => {
  test('names it in its title, for previews and for search engines', async () => {
    const { id } = await add();
    const address = `https://books.example/books/${id}`;
    const image = `https://books.example${cover}`;

    const { title, metas, canonical, data } = await pageOf(screens.book(id));

    expect(title).toBe('Moby-Dick by Herman Melville – Colophon');
    expect(canonical).toBe(address);
    expect(metas).toEqual({
      description: 'Moby-Dick by Herman Melville, for $12.90 at Colophon.',
      'og:type': 'book',
      'og:site_name': 'Colophon',
      'og:title': 'Moby-Dick by Herman Melville',
      'og:description': 'Moby-Dick by Herman Melville, for $12.90 at Colophon.',
      'og:url': address,
      'og:image': `https://books.example${cardPath({ id, title: 'Moby-Dick', author: 'Herman Melville', image: cover, coverColour: null }, 'Colophon')}`,
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'Cover of Moby-Dick',
      'twitter:card': 'summary_large_image',
    });
    expect(data).toEqual({
      '@context': 'https://schema.org',
      '@type': ['Product', 'Book'],
      name: 'Moby-Dick',
      author: { '@type': 'Person', name: 'Herman Melville' },
      image,
      sku: id,
      url: address,
      offers: {
        '@type': 'Offer',
        price: '12.90',
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        url: address,
        seller: { '@type': 'BookStore', name: 'Colophon', url: 'https://books.example/' },
      },
    });
  });

  test('shows the book without JavaScript', async () => {
    const { id } = await add();

    const { noScript } = await pageOf(screens.book(id));

    expect(noScript).toContain(`<img src="https://books.example${cover}"`);
    expect(noScript).toContain('<h1 dir="auto">Moby-Dick</h1>');
    expect(noScript).toContain('Herman Melville');
    expect(noScript).toContain('$12.90');
    expect(noScript).not.toContain('style=');
  });

  test.each([
    `"Emma" & 'Sons'`,
    '</title></script><script>alert(1)</script>',
    '</noscript><img src=x onerror=alert(1)>',
    '<!--<script>',
    '" /><meta http-equiv="refresh" content="0;url=https://evil.example',
    '&lt;b&gt; &amp;quot; $& $1',
    'שלום\u200f',
    '紅樓夢 \u{1f409}',
  ])('has its title %j as text', async (title) => {
    const plain = await open(screens.book((await add({ description: 'Plain.' })).id));
    const { id } = await add({ title, author: title, description: title });

    const html = await (await open(screens.book(id))).text();
    const { metas, data, noScript, ...head } = headOf(html);

    expect(head.title).toBe(`${title} by ${title} – Colophon`);
    expect(metas['og:title']).toBe(`${title} by ${title}`);
    expect([data.name, data.author.name, data.description]).toEqual([title, title, title]);
    expect(noScript).toContain(`<h1 dir="auto">${title}</h1>`);
    const elementsIn = (text: string) => [...text.matchAll(/<[!/]?[a-z]+/gi)].map(([start]) => start);
    expect(elementsIn(html)).toEqual(elementsIn(await plain.text()));
  });

  test.each([
    ['one\u2028two\u2029three', 'one two three'],
    ['tab\tand\nline', 'tab and line'],
    ['\u202edesrever\u202c', 'desrever'],
    ['\u2066isolated\u2069', 'isolated'],
  ])('has the title %j of an older version on one line, and in its own direction', async (title, shown) => {
    const { id } = await add({ title });

    const html = await (await open(screens.book(id))).text();
    const { metas, data, ...head } = headOf(html);

    expect(head.title).toBe(`${shown} by Herman Melville – Colophon`);
    expect([metas['og:title'], data.name]).toEqual([`${shown} by Herman Melville`, shown]);
    expect(html).not.toMatch(/[\u2028\u2029\u202A-\u202E\u2066-\u2069]/);
  });

  test('cuts a very long title off between two letters, and describes it in full', async () => {
    const family = '👩‍👩‍👧';
    const title = family.repeat(60) + 'a'.repeat(150);
    const { id } = await add({ title, author: 'b'.repeat(1_000) });

    const { metas, data, ...head } = await pageOf(screens.book(id));

    const shown = `${family.repeat(60) + 'a'.repeat(89)}… by ${'b'.repeat(99)}…`;
    expect([head.title, metas['og:title']]).toEqual([`${shown} – Colophon`, shown]);
    expect(data.name).toBe(title);
  });

  test.each(['', 'https://['])(
    'shows the cover that the store draws for a book whose image is “%s”',
    async (image) => {
      const { id } = await add({ image });

      const { data, noScript } = await pageOf(screens.book(id));

      const { pathname } = new URL(data.image);
      expect(pathname).toMatch(/^\/cards\/.+-[0-9a-f]{8}\.webp$/);
      expect(noScript).toContain(`<img src="${data.image}"`);
      expect((await store.call(pathname)).status).toBe(200);
    },
  );

  test.each([
    ['the store’s own image', cover, `https://api.example${cover}`],
    ['an image of another host', 'https://covers.example/a.jpg?b&c', 'https://covers.example/a.jpg?b&c'],
  ])('has the address of %s as the app loads it', async (_, image, address) => {
    const other = await openTestStore({ settings: { publicUrl }, apiHost: 'https://api.example' });
    const { id } = await add({ image }, other);

    const { metas, data } = await pageOf(screens.book(id), other);

    expect(data.image).toBe(address);
    expect(metas['og:image']).toMatch(/^https:\/\/api\.example\/cards\//);
  });

  test('takes no address from the request', async () => {
    const { id } = await add();
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', forwarded: 'host=e' };

    const html = await (await store.call(`${screens.book(id)}?utm=1`, { headers })).text();

    expect(headOf(html).canonical).toBe(`https://books.example/books/${id}`);
    expect(html).not.toContain('127.0.0.1');
  });

  test('is a 304 for its ETag, until the price changes', async () => {
    const { id } = await add();
    const etag = (await open(screens.book(id))).headers.get('etag') ?? '';
    const ask = (ifNoneMatch: string, path = screens.book(id)) =>
      store.call(path, { headers: { 'if-none-match': ifNoneMatch } });
    expect([(await ask(etag)).status, (await ask(`"other", W/${etag}`)).status]).toEqual([304, 304]);
    expect((await ask(etag, screens.book((await add()).id))).status).toBe(200);

    await store.database.db.updateTable('books').set({ price_cents: 1490 }).where('id', '=', id).execute();
    // On PostgreSQL a change of another connection is announced.
    await expect.poll(async () => (await ask(etag)).status).toBe(200);
    const changed = await ask(etag);

    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(headOf(await changed.text()).data.offers.price).toBe('14.90');
  });

  test('is the same for every client, and is stored by none without asking again', async () => {
    const { id } = await add();
    const cookie = await store.signIn();

    const [signedIn, stranger] = [
      await store.call(screens.book(id), { cookie }),
      await store.call(screens.book(id)),
    ];

    expect(await signedIn.text()).toBe(await stranger.text());
    expect(stranger.headers.get('cache-control')).toBe('public, no-cache');
    expect(stranger.headers.get('vary')).toBe('accept-encoding');
  });
});

describe('the page of a book with an ISBN and a description', () => {
  const description = 'Call me Ishmael.\n\n</script><!-- A "clean" copy.';
  const details = { isbn: '9780141439587', description };

  test('has what Google’s merchant listings require and recommend of what the store knows', async () => {
    const { id } = await add(details);

    const { data } = await pageOf(screens.book(id));

    // https://developers.google.com/search/docs/appearance/structured-data/merchant-listing
    expect(data['@type']).toContain('Product');
    const required = { product: ['name', 'image', 'offers'], offer: ['price', 'priceCurrency'] };
    const recommended = { product: ['description', 'gtin13', 'isbn', 'sku'], offer: ['availability', 'url'] };
    for (const { product, offer } of [required, recommended]) {
      expect(Object.keys(data)).toEqual(expect.arrayContaining(product));
      expect(Object.keys(data.offers)).toEqual(expect.arrayContaining(offer));
    }
    expect(data).toMatchObject({ isbn: '9780141439587', gtin13: '9780141439587', description, sku: id });
    expect(data.offers).toMatchObject({
      '@type': 'Offer',
      price: expect.stringMatching(/^\d+\.\d\d$/),
      priceCurrency: expect.stringMatching(/^[A-Z]{3}$/),
      availability: 'https://schema.org/InStock',
    });
  });

  test('describes it on one line, and shows its paragraphs and its ISBN without JavaScript', async () => {
    const { id } = await add(details);

    const { metas, noScript } = await pageOf(screens.book(id));

    const shown =
      'Moby-Dick by Herman Melville, for $12.90 at Colophon. Call me Ishmael. </script><!-- A "clean" copy.';
    expect([metas['description'], metas['og:description']]).toEqual([shown, shown]);
    expect(noScript).toContain(description);
    expect(noScript).toContain('ISBN 978-0-14-143958-7');
  });

  test('has the beginning of a long one in its head', async () => {
    const { id } = await add({ description: 'w'.repeat(2_000) });

    const { metas } = await pageOf(screens.book(id));

    expect(metas['description']).toBe(
      `Moby-Dick by Herman Melville, for $12.90 at Colophon. ${'w'.repeat(199)}…`,
    );
  });
});

describe('the page of a book that is sold out', () => {
  test('says so to search engines and without JavaScript, and has status 200', async () => {
    const { id } = await add({ copies: 0 });

    const response = await open(screens.book(id));
    const { data, metas, noScript } = headOf(await response.text());

    expect([response.status, metas['robots']]).toEqual([200, undefined]);
    expect(data.offers.availability).toBe('https://schema.org/OutOfStock');
    expect(noScript).toContain('<p>Sold out</p>');
  });
});

describe('the checkout of a book', () => {
  test('is listed nowhere and shared by no one, and shows the book without JavaScript', async () => {
    const { id } = await add({ description: 'Call me Ishmael.' });

    const page = await pageOf(screens.checkout(id));
    const { noScript, title } = await pageOf(screens.book(id));

    expect([page.title, page.noScript]).toEqual([title, noScript]);
    expect(page.metas).toEqual({
      description: 'Moby-Dick by Herman Melville, for $12.90 at Colophon. Call me Ishmael.',
      robots: 'noindex',
    });
    expect([page.canonical, page.data]).toEqual([undefined, undefined]);
  });

  test('has status 404 where no such book is for sale', async () => {
    expect((await open('/checkout/no-such-book')).status).toBe(404);
  });
});

describe('the page of a book that is not for sale', () => {
  const removed = async ({ id }: BookForSale) => {
    const { db } = store.database;
    await db.updateTable('books').set({ removed_at: Date.now() }).where('id', '=', id).execute();
    return id;
  };

  test.each([
    ['was removed', async () => await removed(await add())],
    ['never was', async () => 'no-such-book'],
    ['cannot be, for its id has a control character', async () => 'a%00b'],
  ])('because it %s has status 404, names no book, and is listed nowhere', async (_, idOf) => {
    const response = await open(`/books/${await idOf()}`);
    const { title, metas, canonical, data } = headOf(await response.text());

    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect([title, metas['robots']]).toEqual(['Not found', 'noindex']);
    expect([metas['og:title'], canonical, data]).toEqual([undefined, undefined, undefined]);
  });

  test('is a problem for a client that accepts no page, and a cache must tell them apart', async () => {
    const program = await store.call('/books/no-such-book');
    const browser = await open('/books/no-such-book');

    expect([program.status, program.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
    expect([program.headers.get('vary'), browser.headers.get('vary')]).toEqual(['accept', 'accept']);
  });

  test('has the same methods and statuses for HEAD', async () => {
    const { id } = await add();
    const statusOf = async (path: string) => (await store.call(path, { method: 'HEAD' })).status;

    expect([await statusOf(screens.book(id)), await statusOf('/books/none')]).toEqual([200, 404]);
    expect((await store.call(screens.book(id), { method: 'POST' })).status).toBe(405);
  });
});

describe('the page of a book that cannot be looked up', () => {
  const expectPlainPage = async (response: Response) => {
    const { title, metas, canonical, data } = headOf(await response.text());
    expect([response.status, title]).toEqual([200, 'Colophon']);
    expect([metas['robots'], metas['og:title'], canonical, data]).toEqual(Array(4).fill(undefined));
  };

  test('because the database takes long is sent without the book, soon', async () => {
    const hasty = await openTestStore({ bookWaitMs: 100 });
    const { db } = hasty.database;
    const { id } = await add({}, hasty);
    const lock = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    // On SQLite the thread that finds books is kept busy, and on PostgreSQL the table is locked.
    const slow = isOnPostgres()
      ? db.transaction().execute(async (db) => {
          await sql`lock table books in access exclusive mode`.execute(db);
          lock.resolve();
          await release.promise;
        })
      : sql`select count(*) from (with recursive numbers(n) as (
          select 1 union all select n + 1 from numbers where n < 3000000) select n from numbers)`.execute(db);
    if (isOnPostgres()) await lock.promise;
    let hasEnded = false;
    const ended = slow.finally(() => {
      hasEnded = true;
    });

    const response = await open(screens.book(id), hasty);
    const wasSoon = !hasEnded;
    release.resolve();
    await ended;

    expect(wasSoon).toBe(true);
    await expectPlainPage(response);
  });

  test('because of a fault is sent without the book, and the fault is logged', async () => {
    const logged: string[] = [];
    const broken = await openTestStore({ onLog: (line) => logged.push(line) });
    await broken.database.db.schema.alterTable('books').renameTo('lost_books').execute();

    const response = await open('/books/some-id', broken);
    await broken.close();

    await expectPlainPage(response);
    expect(logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)).toMatchObject([
      { level: 50, msg: 'the book of a page could not be looked up' },
    ]);
  });
});

describe('the page of a screen', () => {
  test('home describes the store', async () => {
    for (const path of ['/', '/home', '/?q=emma']) {
      const { title, metas, canonical, data } = await pageOf(path);

      expect([title, canonical]).toEqual(['Home', 'https://books.example/']);
      expect(metas).toMatchObject({
        'og:type': 'website',
        'og:title': 'Colophon',
        'og:url': 'https://books.example/',
        'og:image': 'https://books.example/share.png',
        'twitter:card': 'summary_large_image',
      });
      expect(metas).not.toHaveProperty('robots');
      expect(data).toMatchObject({ '@type': 'WebSite', name: 'Colophon', url: 'https://books.example/' });
    }
  });

  test.each([
    ['/login', 'Login', 200, undefined],
    ['/login?returnTo=%2Forders', 'Login', 200, undefined],
    ['/orders', 'Orders', 200, undefined],
    ['/admin', 'Admin', 200, undefined],
    ['/desk', 'Desk', 200, 'noindex'],
    ['/desk/orders', 'Desk', 200, 'noindex'],
    ['/desk/no-such-view', 'Not found', 404, 'noindex'],
    ['/nowhere', 'Not found', 404, 'noindex'],
    ['/addBook', 'Not found', 405, 'noindex'],
  ])('%s has the title %s, status %i and no preview; robots: %s', async (path, title, status, robots) => {
    const response = await open(path);
    const head = headOf(await response.text());

    expect([response.status, head.title, head.metas['robots']]).toEqual([status, title, robots]);
    expect([head.canonical, head.data, head.metas['og:title']]).toEqual([undefined, undefined, undefined]);
  });

  test.each(['/', '/home', '/login', '/orders', '/admin', '/desk', '/nowhere'])(
    '%s says without JavaScript whose page it is, and what it needs',
    async (path) => {
      const { noScript } = await pageOf(path);

      expect(noScript).toContain('<a href="/">Colophon</a>');
      expect(noScript).toContain('Colophon shows its shelf and sells its books with JavaScript.');
    },
  );

  test('an address that no screen has says so without JavaScript, and leads to the shelf', async () => {
    const { noScript } = await pageOf('/nowhere');

    expect(noScript).toContain('<h1>We can’t find that page</h1>');
    expect(noScript).toContain('<a href="/">Back to the shelf</a>');
    expect(noScript).not.toContain('needs JavaScript');
  });

  test('the desk is a page of its own, with the policy of the others', async () => {
    const [desk, shop] = [await open('/desk/books'), await open('/orders')];

    expect(await desk.text()).toContain('/assets/desk-abc123.js');
    expect(await shop.text()).toContain('/assets/home-abc123.js');
    expect(desk.headers.get('content-security-policy')).toBe(shop.headers.get('content-security-policy'));
    expect((await open('/desk.html')).status).toBe(404);
    const cameras = [desk, shop].map(({ headers }) => headers.get('permissions-policy')?.split(',')[0]);
    expect(cameras).toEqual(['camera=(self)', 'camera=()']);
  });

  test.each(['/', '/login', '/orders', '/admin', '/desk'])(
    '%s is a 304 for its own ETag alone',
    async (path) => {
      const etag = (await open(path)).headers.get('etag') ?? '';
      const ask = async (address: string) =>
        (await store.call(address, { headers: { 'if-none-match': etag } })).status;

      expect([await ask(path), await ask(path === '/' ? '/login' : '/')]).toEqual([304, 200]);
    },
  );
});

describe('the page about withdrawals', () => {
  const asked = async (settings: TestStoreOptions['settings']) => {
    const shop = await openTestStore({ settings: { publicUrl, ...settings } });
    const response = await open(withdrawalPaths.page, shop);
    return { response, html: await response.text(), home: await (await open('/', shop)).text() };
  };

  test('is at the foot of every page, runs no app, and says where to write', async () => {
    const { response, html, home } = await asked({ shopEmail: 'o&c?@shop.example', withdrawalDays: 30 });

    expect([response.status, headOf(html).title]).toEqual([200, 'Withdraw from contract']);
    expect(html).toContain('until 30 days after we send it');
    expect(html).toContain(
      '<a href="mailto:o%26c%3F@shop.example?subject=Withdrawal">o&amp;c?@shop.example</a>',
    );
    expect(html).not.toContain('<noscript>');
    expect(html).not.toContain('type="module"');
    const foot = '<footer><a href="/withdrawal">Withdraw from contract</a></footer>';
    expect(home).toContain(`</noscript>${foot}`);
    expect(html).toContain(foot);
  });

  test('is not there where nothing can be withdrawn', async () => {
    const { response, home } = await asked({ withdrawalDays: 0 });

    expect(response.status).toBe(404);
    expect(home).not.toContain('<footer>');
  });
});

describe('a page has one address', () => {
  test.each([
    ['/orders/', '/orders'],
    ['/home/', '/home'],
    ['/books/an-id/', '/books/an-id'],
    ['/books/a%2Fb/', '/books/a%2Fb'],
    ['/desk/sales/?by=week', '/desk/sales?by=week'],
    ['/withdrawal/', '/withdrawal'],
    ['/%6frders', '/orders'],
    ['/login/?returnTo=//evil.example', '/login?returnTo=//evil.example'],
    ['//', '/'],
  ])('%s leads to %s for good', async (spelling, address) => {
    const response = await store.call(spelling, { ...asBrowser, redirect: 'manual' });

    expect([response.status, response.headers.get('location')]).toEqual([301, address]);
  });

  test.each([
    '//orders',
    '/ORDERS',
    '/Books/an-id',
    '/orders//',
    '/books//',
    '//evil.example/',
    '//evil.example/%2e',
    '/\\evil.example/',
    '/%5cevil.example/',
    '/%2f%2fevil.example/',
    '//evil.example/books/an-id/',
    '/healthz/',
    '/front/',
  ])('%s is no page, and leads nowhere', async (spelling) => {
    const response = await store.call(spelling, { ...asBrowser, redirect: 'manual' });

    expect([response.status, response.headers.get('location')]).toEqual([404, null]);
  });

  test('a change is not led to another address', async () => {
    const response = await store.call('/orders/', { ...asBrowser, method: 'POST', redirect: 'manual' });

    expect(response.status).toBe(404);
  });
});

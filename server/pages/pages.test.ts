import { describe, expect, onTestFinished, test } from 'vitest';
import type { BookDetails } from '../../contract/book-fields.ts';
import { screens } from '../../contract/paths.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook, type BookForSale } from '../catalogue/books.ts';
import { cardPath } from '../images/cards.ts';
import { openTestStore, shareTestStore, type TestStoreOptions } from '../testing/test-store.ts';
import { setWay } from '../ways/ways.ts';

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

/** @returns the elements that a program finds in a page without running its scripts. */
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
  test('names it for previews and search engines', async () => {
    const description = 'Call me Ishmael.\n\n</script><!-- A "clean" copy.';
    const { id } = await add({ isbn: '9780141439587', description });
    const address = `https://books.example/books/${id}`;
    const image = `https://books.example${cover}`;
    const drawn = { id, title: 'Moby-Dick', author: 'Herman Melville', image: cover, coverColour: null };
    const shown =
      'Moby-Dick by Herman Melville, for $12.90 at Colophon. Call me Ishmael. </script><!-- A "clean" copy.';

    const { title, metas, canonical, data } = await pageOf(screens.book(id));

    expect(title).toBe('Moby-Dick by Herman Melville – Colophon');
    expect(canonical).toBe(address);
    expect(metas).toEqual({
      description: shown,
      'og:type': 'book',
      'og:site_name': 'Colophon',
      'og:title': 'Moby-Dick by Herman Melville',
      'og:description': shown,
      'og:url': address,
      'og:image': `https://books.example${cardPath(drawn, 'Colophon')}`,
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'Cover of Moby-Dick',
      'twitter:card': 'summary_large_image',
    });
    // The fields that Google’s merchant listings require or recommend, as far as the store knows them:
    // https://developers.google.com/search/docs/appearance/structured-data/merchant-listing
    expect(data).toEqual({
      '@context': 'https://schema.org',
      '@type': ['Product', 'Book'],
      name: 'Moby-Dick',
      author: [
        { '@type': 'Person', name: 'Herman Melville', url: 'https://books.example/authors/herman-melville' },
      ],
      image,
      sku: id,
      url: address,
      isbn: '9780141439587',
      gtin13: '9780141439587',
      description,
      offers: {
        '@type': 'Offer',
        price: '12.90',
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        itemCondition: 'https://schema.org/NewCondition',
        url: address,
        seller: { '@type': 'BookStore', name: 'Colophon', url: 'https://books.example/' },
        hasMerchantReturnPolicy: {
          '@type': 'MerchantReturnPolicy',
          applicableCountry: expect.arrayContaining(['AT', 'DE', 'SK']),
          returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
          merchantReturnDays: 14,
          returnMethod: 'https://schema.org/ReturnByMail',
          merchantReturnLink: 'https://books.example/withdrawal',
        },
      },
    });
  });

  test('tells search engines of a used book, and of what the post costs as soon as there is such a way', async () => {
    const { id } = await add({ keywords: 'Novels, Second-hand' });
    const offerOf = async () => headOf(await (await open(screens.book(id))).text()).data.offers;
    expect(await offerOf()).not.toHaveProperty('shippingDetails');

    const { db } = store.database;
    await setWay(db, 'post', { name: 'Post', price: { value: 4.9 }, asksAddress: true }, commandActor);
    await setWay(db, 'here', { name: 'Here', price: { value: 0 } }, commandActor);
    onTestFinished(async () => void (await db.deleteFrom('ways').execute()));

    await expect.poll(offerOf).toMatchObject({
      itemCondition: 'https://schema.org/UsedCondition',
      shippingDetails: [
        {
          '@type': 'OfferShippingDetails',
          shippingLabel: 'Post',
          shippingRate: { '@type': 'MonetaryAmount', value: 4.9, currency: 'USD' },
        },
      ],
    });
  });

  test('tells search engines what the book is, and its lists have names, addresses and no query', async () => {
    const series = 'Works & Days';
    const facts = { pages: 635, language: 'en', published: '851', publisher: 'Harper' };
    const { id } = await add({ ...facts, series, seriesNumber: '2', author: 'Ada One, 一二; !?' });

    const { data } = await pageOf(screens.book(id));

    const authors = 'https://books.example/authors';
    expect(data).toMatchObject({
      author: [
        { '@type': 'Person', name: 'Ada One', url: `${authors}/ada-one` },
        { '@type': 'Person', name: '一二', url: expect.stringMatching(/authors\/[a-z-]+$/) },
        { '@type': 'Person', name: '!?' },
      ],
      ...{ numberOfPages: 635, inLanguage: 'en', datePublished: '0851' },
      publisher: { '@type': 'Organization', name: 'Harper' },
      ...{ isPartOf: { '@type': 'BookSeries', name: series }, position: '2' },
    });
    const list = await pageOf(`${screens.series('works-days')}?utm=1`);
    expect([list.title, list.canonical]).toEqual([
      ...[`${series} – Colophon`, 'https://books.example/series/works-days'],
    ]);
    expect(list.data).toMatchObject({ '@type': 'CollectionPage', name: series, url: list.canonical });
    expect(list.metas).not.toHaveProperty('robots');
  });

  test('has its title as text, whatever that is', async () => {
    const plain = await (await open(screens.book((await add({ description: 'Plain.' })).id))).text();
    const elementsIn = (text: string) => [...text.matchAll(/<[!/]?[a-z]+/gi)].map(([start]) => start);
    for (const title of [
      `"Emma" & 'Sons'`,
      '</title></script><script>alert(1)</script>',
      '</noscript><img src=x onerror=alert(1)>',
      '<!--<script>',
      '" /><meta http-equiv="refresh" content="0;url=https://evil.example',
      '&lt;b&gt; &amp;quot; $& $1',
      'שלום\u200f 紅樓夢 \u{1f409}',
    ]) {
      const { id } = await add({ title, author: title, description: title });

      const html = await (await open(screens.book(id))).text();
      const { metas, data, ...head } = headOf(html);

      expect(head.title).toBe(`${title} by ${title} – Colophon`);
      expect(metas['og:title']).toBe(`${title} by ${title}`);
      expect([data.name, data.description]).toEqual([title, title]);
      expect(data.author.every(({ name }: { name: string }) => title.includes(name))).toBe(true);
      expect(elementsIn(html), title).toEqual(elementsIn(plain));
    }
  });

  test('cuts a very long title off between two letters, and describes it in full', async () => {
    const family = '👩‍👩‍👧';
    const title = family.repeat(60) + 'a'.repeat(150);
    const { id } = await add({ title, author: 'b'.repeat(1_000), description: 'w'.repeat(2_000) });

    const { metas, data, ...head } = await pageOf(screens.book(id));

    const shown = `${family.repeat(60) + 'a'.repeat(89)}… by ${'b'.repeat(99)}…`;
    expect([head.title, metas['og:title']]).toEqual([`${shown} – Colophon`, shown]);
    expect(metas['description']).toMatch(/ Colophon\. w{199}…$/);
    expect(data.name).toBe(title);
  });

  test('has the address of its image as the app loads it, or of the cover that the store draws', async () => {
    const other = await openTestStore({ settings: { publicUrl }, apiHost: 'https://api.example' });
    const drawn = /^https:\/\/api\.example\/cards\/.+-[0-9a-f]{8}\.webp$/;
    for (const [image, address] of [
      [cover, /^https:\/\/api\.example\/images\//],
      ['https://covers.example/a.jpg?b&c', /^https:\/\/covers\.example\/a\.jpg\?b&c$/],
      ['', drawn],
      ['https://[', drawn],
    ] as const) {
      const { metas, data } = await pageOf(screens.book((await add({ image }, other)).id), other);

      expect(data.image).toMatch(address);
      expect(metas['og:image']).toMatch(/^https:\/\/api\.example\/cards\//);
      if (address === drawn) expect((await other.call(new URL(data.image).pathname)).status).toBe(200);
    }
  });

  test('takes no address from the request', async () => {
    const path = screens.book((await add()).id);
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', forwarded: 'host=e' };

    const html = await (await store.call(`${path}?utm=1`, { headers })).text();

    expect(headOf(html).canonical).toBe(`https://books.example${path}`);
    expect(html).not.toContain('127.0.0.1');
  });

  test('is the same for every client, stored by none without asking again, and a 304 until the price changes', async () => {
    const path = screens.book((await add()).id);
    const stranger = await open(path);
    const signedIn = await store.call(path, { cookie: await store.signIn() });
    const headers = { 'if-none-match': stranger.headers.get('etag') ?? '' };

    expect(await signedIn.text()).toBe(await stranger.text());
    expect(stranger.headers.get('cache-control')).toBe('public, no-cache');
    expect((await store.call(path, { headers })).status).toBe(304);
    expect((await store.call(screens.book((await add()).id), { headers })).status).toBe(200);
    await store.database.db.updateTable('books').set({ price_cents: 1490 }).execute();
    // PostgreSQL announces a change by another connection.
    await expect.poll(async () => (await store.call(path, { headers })).status).toBe(200);
    expect((await pageOf(path)).data.offers.price).toBe('14.90');
  });
});

test('the page of a book that is sold out says so, and has status 200', async () => {
  const response = await open(screens.book((await add({ copies: 0 })).id));
  const { data, metas } = headOf(await response.text());

  const { availability } = data.offers;
  expect([response.status, metas['robots'], availability]).toEqual([
    200,
    undefined,
    'https://schema.org/OutOfStock',
  ]);
  expect(JSON.stringify(data.author)).not.toContain('/authors/');
});

test('the checkout of a book is listed nowhere and shared by no one', async () => {
  const { id } = await add({ description: 'Call me Ishmael.' });

  const page = await pageOf(screens.checkout(id));

  expect(page.title).toBe('Moby-Dick by Herman Melville – Colophon');
  expect(page.metas).toEqual({
    description: 'Moby-Dick by Herman Melville, for $12.90 at Colophon. Call me Ishmael.',
    robots: 'noindex',
  });
  expect([page.canonical, page.data]).toEqual([undefined, undefined]);
  expect((await open('/checkout/no-such-book')).status).toBe(404);
});

test('the page of a book that is not for sale has status 404, names no book, and is listed nowhere', async () => {
  const removed = await add();
  const { db } = store.database;
  await db.updateTable('books').set({ removed_at: 1 }).where('id', '=', removed.id).execute();

  for (const id of [removed.id, 'no-such-book', 'a%00b']) {
    const response = await open(`/books/${id}`);
    const { title, metas, canonical, data } = headOf(await response.text());

    expect([response.status, title, metas['robots']]).toEqual([404, 'Not found', 'noindex']);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect([metas['og:title'], canonical, data]).toEqual([undefined, undefined, undefined]);
  }
  // A client that does not accept a page gets a problem.
  const { headers } = await store.call('/books/no-such-book');
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(headers.get('vary')).toBe('accept');
});

test('the page of a book that cannot be looked up is sent without the book, and a fault is logged', async () => {
  const logged: string[] = [];
  const broken = await openTestStore({ onLog: (line) => logged.push(line) });
  await broken.database.db.schema.alterTable('books').renameTo('lost_books').execute();

  const response = await open('/books/some-id', broken);
  await broken.close();

  const { title, metas, canonical, data } = headOf(await response.text());
  expect([response.status, title]).toEqual([200, 'Colophon']);
  expect([metas['robots'], metas['og:title'], canonical, data]).toEqual(Array(4).fill(undefined));
  expect(logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)).toMatchObject([
    { level: 50, msg: 'a page could not be loaded' },
  ]);
});

describe('the page of a screen', () => {
  test('home describes the store', async () => {
    for (const path of ['/', '/home', '/?q=emma']) {
      const { title, metas, canonical, data } = await pageOf(path);

      expect([title, canonical]).toEqual(['Home', 'https://books.example/']);
      const image = 'https://books.example/share.png';
      expect(metas).toMatchObject({ 'og:title': 'Colophon', 'og:url': canonical, 'og:image': image });
      expect(metas).not.toHaveProperty('robots');
      expect(data).toMatchObject({ '@type': 'WebSite', name: 'Colophon', url: canonical });
    }
  });

  test('has its title and status, no preview, and a sentence without JavaScript', async () => {
    const pages: [path: string, title: string, status: number, robots: string | undefined][] = [
      ['/login?returnTo=%2Forders', 'Login', 200, undefined],
      ['/orders', 'Orders', 200, undefined],
      ['/orders/an-id', 'Order', 200, 'noindex'],
      ['/admin', 'Admin', 200, undefined],
      ['/desk', 'Desk', 200, 'noindex'],
      ['/desk/orders', 'Desk', 200, 'noindex'],
      ['/desk/no-such-view', 'Not found', 404, 'noindex'],
      ['/nowhere', 'Not found', 404, 'noindex'],
      ['/addBook', 'Not found', 405, 'noindex'],
    ];
    for (const [path, title, status, robots] of pages) {
      const response = await open(path);
      const head = headOf(await response.text());

      expect([head.title, response.status, head.metas['robots']], path).toEqual([title, status, robots]);
      expect([head.canonical, head.data, head.metas['og:title']], path).toEqual(Array(3).fill(undefined));
      expect(head.noScript, path).toContain('Colophon shows its shelf and sells its books with JavaScript.');
      const headers = { accept: 'text/html', 'if-none-match': response.headers.get('etag') ?? '' };
      expect((await store.call(path, { headers })).status, path).toBe(status === 200 ? 304 : status);
      expect((await store.call('/', { headers })).status, path).toBe(200);
    }
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
});

test('the page about withdrawals is at the foot of every page, runs no app, says where to write, and can be left out', async () => {
  const asked = async (settings: TestStoreOptions['settings']) => {
    const shop = await openTestStore({ settings: { publicUrl, ...settings } });
    const response = await open(withdrawalPaths.page, shop);
    const home = await (await open('/', shop)).text();
    return { status: response.status, html: await response.text(), home };
  };
  const { status, html, home } = await asked({ shopEmail: 'o&c?@shop.example', withdrawalDays: 30 });
  const without = await asked({ withdrawalDays: 0 });

  expect([status, headOf(html).title]).toEqual([200, 'Withdraw from contract']);
  expect(html).toContain('until 30 days after we send it');
  expect(html).toContain('"mailto:o%26c%3F@shop.example?subject=Withdrawal">o&amp;c?@shop.example</a>');
  expect(html).not.toMatch(/<noscript>|type="module"/);
  const link = '<li><a href="/withdrawal">Withdraw from contract</a></li>';
  expect([home, html].map((page) => page.includes(link))).toEqual([true, true]);
  expect([without.status, without.home.includes(link)]).toEqual([404, false]);
  const contact = '<li><a href="mailto:o%26c%3F@shop.example">Contact</a></li>';
  expect([home, without.home].map((page) => page.includes(contact))).toEqual([true, false]);
});

describe('another spelling of the address of a page', () => {
  const ask = async (address: string, method = 'GET') => {
    const response = await store.call(address, { ...asBrowser, method, redirect: 'manual' });
    return [address, response.status, response.headers.get('location')];
  };

  test('leads to its address for good', async () => {
    for (const [spelling, address] of Object.entries({
      '/orders/': '/orders',
      '/books/an-id/': '/books/an-id',
      '/books/a%2Fb/': '/books/a%2Fb',
      '/desk/sales/?by=week': '/desk/sales?by=week',
      '/withdrawal/': '/withdrawal',
      '/%6frders': '/orders',
      '/login/?returnTo=//evil.example': '/login?returnTo=//evil.example',
      '//': '/',
    })) {
      expect(await ask(spelling)).toEqual([spelling, 301, address]);
    }
    expect(await ask('/orders/', 'POST')).toEqual(['/orders/', 404, null]);
  });

  test('that no page has is no page, and leads nowhere', async () => {
    for (const spelling of [
      ...['//orders', '/ORDERS', '/Books/an-id', '/orders//', '/books//', '//evil.example/', '/healthz/'],
      ...['//evil.example/%2e', '/\\evil.example/', '/%5cevil.example/', '/%2f%2fevil.example/', '/front/'],
      '//evil.example/books/an-id/',
    ]) {
      expect(await ask(spelling)).toEqual([spelling, 404, null]);
    }
  });
});

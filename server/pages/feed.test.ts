import { expect, test } from 'vitest';
import { paths, screens } from '../../contract/paths.ts';
import { commandActor } from '../activity/activity.ts';
import { addBook, type BookForSale } from '../catalogue/books.ts';
import { deleteBook, restoreBook } from '../catalogue/delete-book.ts';
import { editBook } from '../catalogue/edit-book.ts';
import { emma, openTestStore, setUpTestStore } from '../testing/test-store.ts';

const store = setUpTestStore({ settings: { publicUrl: new URL('https://books.example') } });

const add = (book: Partial<Parameters<typeof addBook>[1]> = {}): Promise<BookForSale> =>
  addBook(store.database.db, { ...emma, ...book }, null);

async function readFeed(from: Awaited<ReturnType<typeof openTestStore>> = store): Promise<string> {
  // The tests change the database directly, so the store does not notice.
  from.database.catalogueVersion.recordLocalChange();
  const response = await from.call(paths.feed);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/atom+xml;profile=opds-catalog;kind=acquisition;charset=utf-8',
  ]);
  return await response.text();
}

const textsOf = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text = '']) => text);
const noTime = new Date(0).toISOString();

test('the feed has the newest 50 books for sale, the newest first', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 52; number += 1) ids.push((await add({ title: `Volume ${number}` })).id);
  const { db } = store.database;
  await deleteBook(db, ids.pop() ?? '', commandActor);
  // An id that the shop has chosen is no UUID.
  await db.updateTable('books').set({ id: 'B-0001' }).where('id', '=', `${ids.pop()}`).execute();

  const [, ...listed] = textsOf(await readFeed(), 'id');

  const newest = ids.slice(1).toReversed();
  expect(listed).toEqual(['https://books.example/books/B-0001', ...newest.map((id) => `urn:uuid:${id}`)]);
});

test('an entry has what OPDS and a reader of news show of a book, without what no XML document may have', async () => {
  const { id } = await add({
    title: 'Tom & "Jerry" <1>]]>\ufffe\uffff',
    author: 'O’Neill\u000b & Söhne \u{1F4D6}',
    isbn: '9780141439587',
    description: 'A cat & a mouse.\n\nSlightly foxed.\u0001',
  });
  await store.database.db
    .updateTable('books')
    .set({ added_at: Date.UTC(2026, 0, 31, 23, 59) })
    .execute();

  const [, entry = ''] = (await readFeed()).split('<entry>\n');

  expect(entry.split('\n</entry>')[0]).toBe(`<id>urn:uuid:${id}</id>
<title>Tom &amp; &quot;Jerry&quot; &lt;1&gt;]]&gt;</title>
<author><name>O’Neill &amp; Söhne \u{1F4D6}</name></author>
<published>2026-01-31T23:59:00.000Z</published>
<updated>2026-01-31T23:59:00.000Z</updated>
<dc:identifier>urn:isbn:9780141439587</dc:identifier>
<link rel="alternate" href="https://books.example/books/${id}" type="text/html" />
<link rel="http://opds-spec.org/acquisition/buy" href="https://books.example/checkout/${id}" type="text/html"><opds:price currencycode="USD">12.99</opds:price></link>
<link rel="http://opds-spec.org/image" href="https://covers.example/emma.jpg" type="image/jpeg" />
<content type="html">&lt;p&gt;&lt;img src=&quot;https://covers.example/emma.jpg&quot; alt=&quot;&quot; /&gt;&lt;/p&gt;&lt;p&gt;O’Neill &amp;amp; Söhne \u{1F4D6}&lt;/p&gt;&lt;p&gt;$12.99&lt;/p&gt;&lt;p&gt;A cat &amp;amp; a mouse.&lt;/p&gt;&lt;p&gt;Slightly foxed.&lt;/p&gt;</content>`);
});

test('a cover is linked with its type, if OPDS allows that, and the store’s own picture as its card', async () => {
  const shop = await openTestStore({ apiHost: 'https://api.example' });
  const linkedOf = async (image: string) => {
    const { id } = await addBook(shop.database.db, { ...emma, image }, null);
    const [, entry = ''] = (await readFeed(shop)).split('<entry>');
    const page = await (await shop.call(screens.book(id))).text();
    return {
      linked: /<link rel="http:\/\/opds-spec\.org\/image" href="(.*) \/>/.exec(entry)?.[1],
      card: /<meta property="og:image" content="([^"]+\.jpg)"/.exec(page)?.[1],
    };
  };
  const covers = 'https://covers.example';

  expect((await linkedOf(`${covers}/a.PNG?size=2`)).linked).toBe(`${covers}/a.PNG?size=2" type="image/png"`);
  expect((await linkedOf(`${covers}/100%.gif`)).linked).toBe(`${covers}/100%25.gif" type="image/gif"`);
  // Checks required by OPDS 1.2, section 5.2.2.
  for (const image of [`${covers}/covers/1`, `${covers}/1.webp`]) {
    expect((await linkedOf(image)).linked, image).toBeUndefined();
  }
  for (const image of ['/images/0123456789abcdef0123456789abcdef.webp', '']) {
    const { linked, card } = await linkedOf(image);
    expect(card).toContain('https://api.example/');
    expect(linked).toBe(`${card}" type="image/jpeg"`);
  }
});

test('the feed tells when a book was changed or restored last', async () => {
  const { db } = store.database;
  expect(textsOf(await readFeed(), 'updated')).toEqual([noTime]);
  const old = await add();
  await add();
  await db.updateTable('books').set({ added_at: 0 }).execute();
  expect(textsOf(await readFeed(), 'updated')).toEqual([noTime, noTime, noTime]);

  await editBook(db, old.id, { priceCents: 999 }, { actor: commandActor, isExpected: () => true });

  const [ofFeed = '', ofNewer, ofOld] = textsOf(await readFeed(), 'updated');
  expect([ofNewer, ofOld]).toEqual([noTime, ofFeed]);
  expect(Date.parse(ofFeed)).toBeGreaterThan(Date.now() - 60_000);

  await db.updateTable('books').set({ changed_at: null }).execute();
  await deleteBook(db, old.id, commandActor);
  await restoreBook(db, old.id, commandActor);
  expect(textsOf(await readFeed(), 'updated')[0]).not.toBe(noTime);
});

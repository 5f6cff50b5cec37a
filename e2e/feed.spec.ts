import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

type Element = {
  /** With the namespace, unless it is that of Atom. */
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
};

const price = '{http://opds-spec.org/2010/catalog}price';

/** Lets the browser parse XML. A fault of it is an element that Atom does not know. */
const parse = (page: Page, xml: string): Promise<Element> =>
  page.evaluate(`(() => {
    const read = (element) => ({
      name: ('{' + element.namespaceURI + '}' + element.localName).replace('{http://www.w3.org/2005/Atom}', ''),
      attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
      text: element.textContent,
      children: [...element.children].map(read),
    });
    return read(new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml').documentElement);
  })()`);

const allOf = ({ children }: Element, name: string) => children.filter((child) => child.name === name);
const textOf = (parent: Element, name: string) => allOf(parent, name)[0]?.text ?? '';
const linksOf = (parent: Element, rel: string) =>
  allOf(parent, 'link').filter(({ attributes }) => attributes['rel'] === rel);

/** The elements that Atom (RFC 4287, sections 4.1 and 4.2) requires of a feed and its entries. */
function expectAtom(element: Element): void {
  const known = [
    '{http://purl.org/dc/terms/}identifier',
    'id',
    'title',
    'updated',
    'published',
    'author',
    'link',
    'content',
    'entry',
  ];
  expect(known).toEqual(expect.arrayContaining(element.children.map(({ name }) => name)));
  for (const name of ['id', 'title', 'updated', 'author']) expect(allOf(element, name)).toHaveLength(1);
  expect(URL.canParse(textOf(element, 'id'))).toBe(true);
  for (const { text } of [...allOf(element, 'updated'), ...allOf(element, 'published')])
    expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  for (const author of allOf(element, 'author')) expect(textOf(author, 'name')).not.toBe('');
  expect(linksOf(element, 'alternate')).toHaveLength(1);
  for (const { attributes } of allOf(element, 'link')) {
    expect(URL.canParse(attributes['href'] ?? '')).toBe(true);
    expect(attributes['type']).toMatch(/^[a-z]+\/[a-z+]+(;[a-z]+=[a-z-]+)*$/);
  }
}

test('a page leads to the feed of new books, which is Atom and a catalogue of OPDS whatever the books are called', async ({
  page,
  store,
}) => {
  const hostile = `]]> <script>'&"</script> &lt; 📖`;
  const { id } = await store.addBook({ title: 'x', author: 'Żółć <b>& Söhne' });
  const title = `${hostile}\u0001\u000b\ufffe`;
  await store.db.updateTable('books').set({ title }).where('id', '=', id).execute();
  await page.goto('/');
  const link = page.locator('link[rel="alternate"][type="application/atom+xml"]');
  const address = new URL((await link.getAttribute('href')) ?? '', store.origin).href;

  const feed = await parse(page, await (await page.request.get(address)).text());

  const entries = allOf(feed, 'entry');
  expect(feed.name).toBe('feed');
  for (const element of [feed, ...entries]) expectAtom(element);
  expect(entries.length).toBeGreaterThan(2);
  expect(new Set(entries.map((entry) => textOf(entry, 'id'))).size).toBe(entries.length);
  expect(
    entries
      .map((entry) => textOf(entry, 'updated'))
      .sort()
      .at(-1),
  ).toBe(textOf(feed, 'updated'));
  for (const rel of ['self', 'start']) {
    const type = 'application/atom+xml;profile=opds-catalog;kind=acquisition';
    expect(linksOf(feed, rel)[0]?.attributes).toEqual({ rel, href: address, type });
  }
  for (const entry of entries) {
    const [buy] = linksOf(entry, 'http://opds-spec.org/acquisition/buy');
    expect(buy && allOf(buy, price)).toMatchObject([{ attributes: { currencycode: 'USD' } }]);
    expect(buy && textOf(buy, price)).toMatch(/^\d+\.\d\d$/);
  }
  const [hostileEntry] = entries;
  if (!hostileEntry) throw new Error('the feed is empty');
  expect(textOf(hostileEntry, 'title')).toBe(hostile);
  await page.setContent(textOf(hostileEntry, 'content'));
  await expect(page.locator('body')).toHaveText('Żółć <b>& Söhne$12.99');
  await expect(page.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
});

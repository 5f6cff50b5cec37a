import { beforeEach, expect, test } from 'vitest';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { ShopPage, ShopPageWithHistory } from '../../contract/desk/shop-pages.ts';
import { paths, screens } from '../../contract/paths.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { commandActor, listActivity } from '../activity/activity.ts';
import { openTestStore, readJson, setUpTestStore } from '../testing/test-store.ts';
import * as pages from './shop-pages.ts';

const store = setUpTestStore({ settings: { adminEmails: ['admin@example.com'] } });
let cookie: string;
beforeEach(async () => {
  cookie = await store.signIn({ sub: 'admin', email: 'admin@example.com' });
});

const post = (path: string, json: object = {}, asWhom = cookie) => store.call(path, { json, cookie: asWhom });
const set = async (slug: string, text: object) =>
  await readJson<ShopPage[]>(await post(deskPaths.page(slug), text));
const find = async (slug: string) =>
  await readJson<ShopPageWithHistory>(await store.call(deskPaths.page(slug), { cookie }));
const open = async (path: string) => {
  const response = await store.call(path, { headers: { accept: 'text/html' } });
  return { status: response.status, html: await response.text() };
};
const footOf = ({ html }: { html: string }) =>
  [...(/<footer>(.*)<\/footer>/.exec(html)?.[1] ?? '').matchAll(/href="([^"]+)">([^<]*)</g)].map(
    ([, ...link]) => link,
  );
const withdrawal = ['/withdrawal', 'Withdraw from contract'];
const feed = ['/feed.atom', 'Feed of new books'];

test('a page is at its address, at the foot of every screen and in the sitemap as soon as it is set, on every node, until it is removed', async () => {
  const anywhere = [
    screens.home,
    screens.login,
    '/login?returnTo=x',
    screens.orders,
    '/withdrawal',
    '/nowhere',
  ];
  const feet = async () => await Promise.all(anywhere.map(async (path) => footOf(await open(path))));
  expect(await feet()).toEqual(anywhere.map(() => [withdrawal, feed]));

  await set('terms', { markdown: '# Terms & "conditions"\r\n\r\nWe sell *books*.' });
  const other = await store.openDatabaseAgain();
  await pages.changePage(other.db, 'imprint', { markdown: '# Imprint\n\n<b>Highbury</b>' }, commandActor);

  const links = [
    withdrawal,
    feed,
    ['/pages/terms', 'Terms &amp; &quot;conditions&quot;'],
    ['/pages/imprint', 'Imprint'],
  ];
  await expect.poll(feet).toEqual(anywhere.map(() => links));
  const page = await open(paths.shopPage('terms'));
  expect(page.status).toBe(200);
  expect(page.html).toContain('<title>Terms &amp; &quot;conditions&quot; – Colophon</title>');
  expect(page.html).toContain('<link rel="canonical" href="http://localhost:3000/pages/terms" />');
  expect(page.html).toContain('<p dir="auto">We sell <em>books</em>.</p>');
  expect(page.html).not.toContain('<script type="module"');
  expect(footOf(page)).toEqual(links);
  expect((await open('/desk')).html).not.toContain('<footer>');
  expect((await open(paths.shopPage('imprint'))).html).toContain('&lt;b&gt;Highbury&lt;/b&gt;');
  expect((await open(paths.sitemapPart('pages.xml'))).html).toContain(
    '/pages/imprint</loc></url>\n<url><loc>http',
  );
  expect((await store.call('/pages/terms/')).headers.get('location')).toBe('/pages/terms');

  await set('terms', { isRemoved: true });
  expect((await open(paths.shopPage('terms'))).status).toBe(404);
  expect(await feet()).toEqual(anywhere.map(() => [withdrawal, feed, links[3]]));
  for (const path of ['/pages/none', '/pages/%00', '/pages/Imprint'])
    expect((await open(path)).status).toBe(404);
});

test('the foot has the pages in their places, says what the shop is, and leads to its contact page in place of its address', async () => {
  const shop = await openTestStore({ settings: { shopEmail: 'us@shop.example' } });
  const foot = async () => {
    const home = await shop.call('/', { headers: { accept: 'text/html' } });
    return /<footer>.*<\/footer>/.exec(await home.text())?.[0] ?? '';
  };
  expect(await foot()).toContain('<p>A bookshop: ');
  expect(await foot()).toContain('mailto:us@shop.example');

  for (const slug of ['imprint', 'contact', 'opening', 'about', 'delivery', 'terms', 'privacy'])
    await pages.changePage(shop.database.db, slug, { markdown: `# ${slug}` }, commandActor);

  const lists = async () =>
    [...(await foot()).matchAll(/<ul aria-label="([^"]*)">(.*?)<\/ul>/g)].map(([, name, list = '']) => [
      name,
      [...list.matchAll(/">([^<]*)</g)].map(([, text]) => text),
    ]);
  await expect.poll(lists).toEqual([
    ['Buying', ['delivery', 'Withdraw from contract', 'contact']],
    ['The shop', ['about', 'opening', 'Feed of new books']],
    ['The law', ['terms', 'privacy', 'imprint']],
  ]);
  expect(await foot()).not.toContain('mailto:');
});

test('each text of a page is kept, an earlier one can be had again, also of a removed page, and the trail has each change', async () => {
  const [first] = await set('terms', { markdown: '# Terms' });
  const [second] = await set('terms', { markdown: '# New terms' });
  await set('terms', { markdown: '# New terms\n' });
  expect((await find('terms')).history).toEqual([first]);
  await set('terms', { isRemoved: true });
  await readJson(await store.call(deskPaths.page('terms'), { cookie }), 404);
  const removed = await store.call(`${deskPaths.pages}?state=removed`, { cookie });
  const [removal] = await readJson<ShopPage[]>(removed);
  expect(await set('terms', { version: removal?.version })).toMatchObject([{ title: 'New terms' }]);

  await set('terms', { version: first?.version });

  const { markdown, history } = await find('terms');
  expect(markdown).toBe('# Terms');
  expect(history.map(({ title }) => title)).toEqual(['New terms', 'New terms', 'Terms']);
  const { entries } = await listActivity(store.database.db, { limit: 5 });
  expect(entries.map(({ action, subject, details }) => [action, subject, details?.['title']])).toEqual([
    ['page-set', 'terms', 'Terms'],
    ['page-set', 'terms', 'New terms'],
    ['page-removed', 'terms', 'New terms'],
    ['page-set', 'terms', 'New terms'],
    ['page-set', 'terms', 'Terms'],
  ]);
  await readJson(await post(deskPaths.page('imprint'), { version: second?.version }), 404);
  await readJson(await post(deskPaths.page('imprint'), { isRemoved: true }), 404);
});

test('what is no page is refused, with the reason: its address, a text without a title, a long one, and one too many', async () => {
  const reasonOf = async (slug: string, json: object) =>
    (await readJson<ProblemBody>(await post(deskPaths.page(slug), json), 400)).errors?.map(
      ({ message }) => message,
    );
  const ofText = (markdown: string) => reasonOf('terms', { markdown });

  for (const slug of ['Terms', 'a_b', 'a b', 'é', 'x'.repeat(61)]) {
    expect(await reasonOf(slug, { markdown: '# A' }), slug).toEqual([
      'Has characters that cannot be used here.',
    ]);
  }
  expect(await ofText('Terms')).toEqual(['Begin with the title as a heading, such as # Imprint.']);
  expect(await ofText(`# ${'x'.repeat(10_000)}`)).toEqual([
    'The title must not be longer than 150 characters.',
  ]);
  expect(await ofText(`# A\n\n${'é'.repeat(51_200)}`)).toEqual(['Must not be larger than 100 KB.']);
  expect(await ofText('# A\u0000')).toEqual(['Must be text without control characters.']);
  await readJson(await post(deskPaths.page('terms')), 400);
  for (let page = 0; page < 30; page += 1)
    await pages.changePage(store.database.db, `p${page}`, { markdown: '# A' }, commandActor);
  expect(
    (await readJson<ProblemBody>(await post(deskPaths.page('terms'), { markdown: '# A' }), 409)).code,
  ).toBe('TOO_MANY_PAGES');
  const [customer, visitor] = [await store.signIn(), ''];
  for (const [asWhom, status] of [
    [customer, 403],
    [visitor, 401],
  ] as const)
    await readJson(await post(deskPaths.page('p1'), { markdown: '# A' }, asWhom), status);
});

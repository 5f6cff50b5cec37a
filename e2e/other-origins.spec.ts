/** The limits between origins: the store's data in other pages, and other hosts in the store's own. */

import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { serve } from './requests.ts';
import { signInAndOpen } from './sign-in.ts';
import { openStore } from './store.ts';
import { janeEyre, testBooks, testImage } from './test-books.ts';
import { addAndConfirm, fillInBook, openView, pickCover } from './visitor.ts';

/** Serves an empty page, at another port of the same site. */
const openOtherOrigin = () =>
  serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Other</title>');
  });

/** Replaces an external image host: records the fields and the key of each form, and responds like imgbb. */
async function openImageHost(displayUrl: string) {
  const forms: { fields: string[]; key: string | undefined }[] = [];
  const { origin, close } = await serve(async (request, response) => {
    const body = await text(request.setEncoding('latin1'));
    forms.push({
      fields: [...body.matchAll(/; name="(\w+)"(?:; filename="([^"]*)")?/g)].map(([field]) => field),
      key: /; name="key"\r\n\r\n(.*)\r\n/.exec(body)?.[1],
    });
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    response.end(JSON.stringify({ data: { display_url: displayUrl }, success: true, status: 200 }));
  });
  return { url: `${origin}/1/upload`, forms, close };
}

/** @returns whether the page can load an image or a script from that address. */
const loads = (page: Page, kind: 'img' | 'script', address: string): Promise<boolean> =>
  page.evaluate(`new Promise((resolve) => {
    const element = document.createElement('${kind}');
    element.onload = () => resolve(true);
    element.onerror = () => resolve(false);
    element.src = '${address}';
    document.head.append(element);
  })`);

/** @returns the titles that a script of the page can read, or the error. */
const readTitles = (page: Page, origin: string): Promise<string[] | string> =>
  page.evaluate(`fetch('${origin}/books', { credentials: 'include' })
    .then((response) => response.json())
    .then((books) => books.map(({ title }) => title))
    .catch(String)`);

test('an allowed origin reads books; IMAGE_ORIGINS alone has images; an image host gets key and image', async ({
  page,
  provokes,
}) => {
  provokes(/img-src 'self' https:\/\/covers\.example/);
  const other = await openOtherOrigin();
  // The page is on another site than the store.
  const site = { ...other, origin: other.origin.replace('localhost', '127.0.0.1') };
  const imageHost = await openImageHost(testImage);
  const store = await openStore({
    env: {
      ALLOWED_ORIGINS: site.origin,
      IMAGE_ORIGINS: 'https://covers.example',
      IMAGE_HOST_URL: imageHost.url,
      IMAGE_HOST_KEY: 'client-key',
    },
  });
  try {
    await page.goto(site.origin);
    // The second request would get the cached response, if it had no Origin.
    for (let reads = 0; reads < 2; reads += 1) {
      expect(await readTitles(page, store.origin)).toEqual(testBooks.map(({ title }) => title));
    }
    expect(await loads(page, 'img', store.origin + testImage)).toBe(true);

    await store.addBook({ title: 'Tracked', image: 'https://evil.example/pixel.png' });
    const failures: string[] = [];
    page.on('requestfailed', (request) => failures.push(`${request.url()} ${request.failure()?.errorText}`));
    await page.goto(store.origin);
    await expect(page.locator('[data-cover]').first().locator('img')).toHaveCount(0);
    const cover = page.getByAltText(`Cover of ${janeEyre.title}`);
    await expect(cover).not.toHaveJSProperty('naturalWidth', 0);
    // The policy stopped the request, not the network.
    expect(new Set(failures)).toEqual(new Set(['https://evil.example/pixel.png csp']));

    await signInAndOpen(page, `${store.origin}/admin`);
    await openView(page, 'Add Book');
    await pickCover(page);
    await fillInBook(page);
    const addRequest = page.waitForRequest('**/addBook');
    await addAndConfirm(page);
    expect((await addRequest).postDataJSON()).toMatchObject({ image: testImage });
    expect(imageHost.forms).toEqual([
      { fields: ['; name="key"', '; name="image"; filename="cover.png"'], key: 'client-key' },
    ]);
  } finally {
    // The page fetches more when it is idle.
    await page.goto('about:blank');
    await store.close();
    imageHost.close();
    site.close();
  }
});

test('any other origin shows images, and loads no data and no code', async ({ page, store, provokes }) => {
  provokes(/blocked by CORS policy/);
  provokes(/ERR_BLOCKED_BY_RESPONSE.NotSameOrigin .*\/books/);
  provokes(/ERR_BLOCKED_BY_RESPONSE.NotSameOrigin .*\/auth\/popup\.js/);
  provokes(/Failed to load resource.*\/books/);
  const site = await openOtherOrigin();
  try {
    await page.goto(site.origin);

    expect(await loads(page, 'img', store.origin + testImage)).toBe(true);
    expect(await loads(page, 'script', `${store.origin}/books`)).toBe(false);
    expect(await loads(page, 'script', `${store.origin}/auth/popup.js`)).toBe(false);
    expect(await readTitles(page, store.origin)).toBe('TypeError: Failed to fetch');
  } finally {
    site.close();
  }
});

import { expect, test } from '@playwright/test';
import { findWebKit, howToInstallWebKit } from './browsers/webkit.ts';
import { ada } from './sign-in.ts';
import { openStore } from './store.ts';
import { frankenstein, testBooks } from './test-books.ts';
import { openWebKit } from './webkit-browser.ts';

const programs = findWebKit();

test('in WebKit a visitor searches, signs in through the popup, buys the book and sees the order', async () => {
  // Only Debian packages a WebKit with a driver. There, as root, the test run installs it, and nothing is skipped.
  if (!programs) return test.skip(true, howToInstallWebKit);
  test.slow();
  const store = await openStore();
  const webKit = await openWebKit(programs);
  const texts = (selector: string) => () =>
    webKit.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`,
    );
  const path = () => webKit.evaluate('location.pathname');
  try {
    await webKit.open(store.origin);
    await expect.poll(texts('article h2')).toHaveLength(testBooks.length);
    await webKit.write('#search', 'frankenstien');
    await expect.poll(texts('article h2')).toEqual([frankenstein.title]);
    await webKit.press('article a[id^="buy-"]');
    await expect.poll(path).toBe('/login');

    const [shop = ''] = await webKit.windows();
    await webKit.press('main button');
    await expect.poll(webKit.windows).toHaveLength(2);
    const [popup = ''] = (await webKit.windows()).filter((handle) => handle !== shop);
    await webKit.switchTo(popup);
    await expect.poll(texts('button')).toContainEqual(expect.stringContaining(ada.email));
    await webKit.press('form button');
    await expect.poll(webKit.windows).toEqual([shop]);
    await webKit.switchTo(shop);

    await expect.poll(path).toMatch(/^\/checkout\//);
    await webKit.press('main button[class*="primary"]');
    await expect.poll(path).toBe('/orders');
    await expect.poll(texts('tbody td')).toContain(frankenstein.title);
    expect(await store.orders()).toMatchObject([{ title: frankenstein.title, email: ada.email }]);
    expect(store.takeErrors()).toEqual([]);
  } finally {
    await webKit.close();
    await store.close();
  }
});

/**
 * Fixtures of the tests in Firefox. Playwright drives only a Firefox that it has built itself, so puppeteer drives Debian's,
 * by WebDriver BiDi. Its locators and waits run code from text in the page, which the store's Content-Security-Policy forbids:
 * `look` waits with Playwright's `expect.poll` instead.
 */

import { test as base, expect } from '@playwright/test';
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { findFirefox, howToInstallFirefox } from './browsers/firefox.ts';
import { openStore, type Store } from './store.ts';
import { resetBooks } from './test-books.ts';

const executablePath = findFirefox();

type Fixtures = { visitor: Visitor };
type WorkerFixtures = { store: Store; firefox: Browser };

export const test = base.extend<Fixtures, WorkerFixtures>({
  store: [
    async ({ browserName: _ }, use) => {
      const store = await openStore();
      await use(store);
      await store.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  firefox: [
    async ({ browserName: _ }, use) => {
      const firefox = await puppeteer.launch({
        browser: 'firefox',
        // The window's size: this Firefox does not know the command that sets a viewport.
        defaultViewport: null,
        args: ['--width=1280', '--height=800'],
        ...(executablePath !== undefined && { executablePath }),
      });
      await use(firefox);
      await firefox.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  visitor: async ({ store, firefox }, use) => {
    await resetBooks(store.db);
    const context = await firefox.createBrowserContext();
    const errors: string[] = [];
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });

    await use(visitorOn(page, store.origin));

    await context.close();
    expect([...errors, ...store.takeErrors()]).toEqual([]);
  },
});

// A system without Debian's packages may have no Firefox. On Debian as root the test run installs it, and nothing is skipped.
test.skip(executablePath === undefined, howToInstallFirefox);

type Visitor = ReturnType<typeof visitorOn>;

/** What a visitor does on a page, and sees there. */
function visitorOn(page: Page, origin: string) {
  /** Waits for the element with this role and this very name. */
  const look = async (role: string, name: string, from = page): Promise<ElementHandle> => {
    let found: ElementHandle | null = null;
    const find = async () => {
      // Fails while the page navigates.
      found = await from.$(`::-p-aria([name=${JSON.stringify(name)}][role="${role}"])`).catch(() => null);
      return found !== null;
    };
    await expect.poll(find, `the ${role} “${name}”`).toBe(true);
    if (!found) throw new Error(`there is no ${role} “${name}”`);
    return found;
  };
  const press = async (role: string, name: string, from = page) => (await look(role, name, from)).click();
  const texts = (selector: string): Promise<string[]> =>
    page.$$eval(selector, (elements) => elements.map(({ textContent }) => textContent ?? ''));

  return {
    page,
    look,
    press,
    texts,
    open: async (path: string) => {
      await page.goto(origin + path);
    },
    /** Of the page itself: puppeteer does not notice a navigation within it. */
    path: async () => String(await page.evaluate('location.pathname')),
    write: async (role: string, name: string, text: string) => (await look(role, name)).type(text),
    /** Signs in through the popup, from the login screen. */
    signIn: async ({ name, email }: { name: string; email: string }) => {
      const opening = new Promise<Page | null>((resolve) => page.once('popup', resolve));
      await press('button', 'Continue with the demo provider');
      const popup = await opening;
      if (!popup) throw new Error('no popup was opened');
      const closing = new Promise((resolve) => popup.once('close', resolve));
      await press('button', `${name} ${email}`, popup);
      await closing;
    },
  };
}

export { expect };

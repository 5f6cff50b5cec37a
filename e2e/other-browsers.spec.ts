/** Differences between browsers, such as popups, in two that Playwright does not drive. */

import { writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { screens } from '../contract/paths.ts';
import { commandActor } from '../server/activity/activity.ts';
import { editBook } from '../server/catalogue/edit-book.ts';
import { findFirefox, howToInstallFirefox, openFirefox } from './browsers/firefox.ts';
import { findWebKit, howToInstallWebKit, openWebKit } from './browsers/webkit.ts';
import { ada } from './sign-in.ts';
import { openStore } from './store.ts';
import { coverPng, frankenstein, janeEyre, testBooks } from './test-books.ts';

const [firefox, webKit] = [findFirefox(), findWebKit()];
// Only Debian packages a WebKit with a driver. There, as root, the test run installs both browsers, and nothing is skipped.
const browsers = {
  Firefox: { open: firefox && (() => openFirefox(firefox)), howToInstall: howToInstallFirefox },
  WebKit: { open: webKit && (() => openWebKit(webKit)), howToInstall: howToInstallWebKit },
};

for (const [name, { open, howToInstall }] of Object.entries(browsers)) {
  test(`in ${name} a visitor signs in by popup, buys, adds and deletes`, async ({
    browserName: _,
  }, testInfo) => {
    // This machine lacks the browser: the report says how to install it.
    if (!open) return test.skip(true, howToInstall);
    test.slow();
    const store = await openStore();
    const browser = await open();
    /** Tries again, because an element may be missing or still moving, and a transition takes clicks. */
    const press = (selector: string) =>
      expect(async () => {
        expect(await browser.evaluate('document.getAnimations().length')).toBe(0);
        await browser.click(selector);
      }).toPass({ timeout: 10_000 });
    const write = (selector: string, text: string) =>
      expect(() => browser.type(selector, text)).toPass({ timeout: 10_000 });
    const texts = (selector: string) =>
      expect.poll(() =>
        browser.evaluate(`[...document.querySelectorAll('${selector}')].map((one) => one.textContent)`),
      );
    const path = expect.poll(() => browser.evaluate('location.pathname'));
    try {
      await browser.open(store.origin);
      await texts('article h2').toHaveLength(testBooks.length);
      const firstRow =
        'new Set([...document.querySelectorAll("article")].slice(0, 3).map((one) => one.getBoundingClientRect().top))';
      expect(await browser.evaluate(`innerWidth < 960 || ${firstRow}.size === 1`)).toBe(true);
      await write('#search', 'frankenstien\n');
      await texts('article h2').toEqual([frankenstein.title]);
      const [{ id = '' } = {}] = await store.booksNamed(frankenstein.title);
      await editBook(store.db, id, { copies: 1 }, { actor: commandActor, isExpected: () => true });
      await browser.open(store.origin + screens.book(id));
      await texts('article h1').toEqual([frankenstein.title]);
      await texts('main').toEqual([expect.stringContaining('Last copy')]);
      await press(`a[href="${screens.checkout(id)}"]`);

      // The home screen has such a button too.
      await path.toBe('/login');
      await press('main button');
      await expect(() => browser.enterPopup()).toPass();
      await texts('button').toContainEqual(expect.stringContaining(ada.email));
      await press('form button');
      await expect(() => browser.leavePopup()).toPass();
      await path.toMatch(/^\/checkout\//);
      await press('main button[class*="primary"]');
      await path.toBe('/orders');
      const { title, author } = frankenstein;
      await texts('tbody td').toEqual([title, author, '1', '$10.99', new Date().toDateString()]);
      await texts('main').toEqual([expect.stringContaining(ada.email)]);
      expect(await store.orders()).toMatchObject([{ title: frankenstein.title, email: ada.email }]);
      await press('tbody a');
      await press(`button[aria-label="Withdraw from contract: ${title}"]`);
      await press('main form button[type=submit]');
      await texts('dd [role=status]').toEqual([expect.stringContaining('Your withdrawal arrived on')]);
      // The shelf has the book again, because its copy was given back.

      const file = testInfo.outputPath('cover.png');
      await writeFile(file, await coverPng());
      const shelf = ['The Lifted Veil', ...testBooks.map((book) => book.title)];
      const rows = () => texts('tbody td:nth-child(2)');
      await browser.open(`${store.origin}/admin?view=add`);
      await write('form .field:nth-child(1) input', 'The Lifted Veil');
      await write('form .field:nth-child(2) input', '12.50');
      await write('form .field:nth-child(3) input', 'George Eliot');
      await browser.chooseFile(file);
      await press('main form button[type=submit]:not([disabled])');
      await expect.poll(() => browser.acceptAlert().catch(() => undefined)).toBe('Successfully added');
      await press('nav button');
      await rows().toEqual(shelf);
      await press(`button[aria-label="Delete: ${janeEyre.title}"]`);
      await rows().toEqual(shelf.filter((one) => one !== janeEyre.title));
      await press('main [role=status] button');
      await rows().toEqual(shelf);
      expect([...browser.errors(), ...store.takeErrors()]).toEqual([]);
    } finally {
      await browser.close();
      await store.close();
    }
  });
}

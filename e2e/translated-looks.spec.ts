/** Pages whose text a translating browser or an extension has changed: no screen breaks, and no outdated text stays. */

import type { Page } from '@playwright/test';
import { deskScreens } from '../contract/desk/paths.ts';
import { screens } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';
import { buyNow, checkoutButton, searchFor, titles } from './visitor.ts';

test.use({ movesByItself: true });

/** Replaces each text node, even a later one, by two nested elements, as Google's translator does. */
const translate = (page: Page) =>
  page.evaluate(`{
    const element = (...content) => {
      const font = document.createElement('font');
      font.append(...content);
      return font;
    };
    const translate = (node) => {
      const texts = document.createNodeIterator(node, NodeFilter.SHOW_TEXT);
      const found = [];
      for (let text = texts.nextNode(); text; text = texts.nextNode()) found.push(text);
      for (const text of found)
        if (text.data.trim() && !text.parentNode.closest('script, style, textarea, noscript, font'))
          text.replaceWith(element(element('«' + text.data + '»')));
    };
    translate(document.body);
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) if (node.isConnected) translate(node);
    }).observe(document.body, { childList: true, subtree: true });
  }`);

/** @returns the elements in which React has rendered a text as a node of its own, beside others: see jsx-runtime.ts. */
const looseTexts = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const textOf = (element) => {
      const children = element[Object.keys(element).find((key) => key.startsWith('__reactProps$'))]?.children;
      return typeof children === 'string' || typeof children === 'number' ? String(children) : undefined;
    };
    const texts = document.createNodeIterator(document.getElementById('root'), NodeFilter.SHOW_TEXT);
    const loose = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      if (text.data.trim() && text.parentNode.nodeName !== 'TEXTAREA' && textOf(text.parentNode) === undefined)
        loose.push(text.parentNode.outerHTML.slice(0, 200));
    return loose;
  })()`);

test('no screen has a text that stands beside others', async ({ page, store, provokes }) => {
  provokes(/404 .*no-such-page/);
  const checkout = await store.checkoutOf(janeEyre.title);
  const book = checkout.replace('checkout', 'books');
  for (const address of [
    // One that leads to a sign-in comes first.
    ...[checkout, '/', '/?q=e&sort=title', '/?q=jane+frankenstien', '/no-such-page', book],
    ...[screens.login, screens.orders, screens.admin, `${screens.admin}?view=add`, ...deskScreens],
  ]) {
    await openSignedIn(page, address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await looseTexts(page), address).toEqual([]);
  }
});

test('a visitor whose browser translates searches and buys, and the owner deletes and takes it back', async ({
  page,
}) => {
  await openSignedIn(page, '/orders');
  await page.goto('/');
  await titles(page).first().waitFor();
  await translate(page);
  await searchFor(page, 'ulysses');
  await expect(titles(page)).toHaveText(['«Ulysses»']);
  await searchFor(page, 'jane');
  await expect(titles(page)).toHaveText([`«${janeEyre.title}»`]);
  await buyNow(page).click();
  await checkoutButton(page).click();
  await expect(page).toHaveURL('/orders');
  await expect(page.getByRole('cell', { name: '$12.99' })).toBeVisible();
  await page.getByRole('link', { name: 'Admin' }).click();
  await page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('row').filter({ hasText: janeEyre.title })).toHaveCount(1);
  await expect(page.getByText('could not be shown')).toHaveCount(0);
});

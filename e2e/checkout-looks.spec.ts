/** How the login, the checkout and the orders look: on small screens, on paper, and their books' spines. */

import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ada, continueButton } from './sign-in.ts';
import { frankenstein, janeEyre } from './test-books.ts';
import { buy, detailsButton, rowOf } from './visitor.ts';

const boxOf = async (element: Locator) => {
  await element.waitFor();
  const box = await element.boundingBox();
  if (!box) throw new Error('an element that is not shown');
  return { ...box, bottom: box.y + box.height };
};

test('on the login the book and the button are in view on small and on tall screens', async ({
  page,
  store,
}) => {
  const title = 'The Life and Strange Surprizing Adventures '.repeat(3).trim();
  await store.addBook({ title });
  await page.goto(await store.checkoutOf(title));
  for (const [width, height] of [
    [568, 320],
    [667, 375],
    [844, 390],
    [820, 1180],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const part of [
      page.getByRole('heading', { name: 'Sign in to buy' }),
      page.getByRole('img', { name: `Cover of ${title}` }),
      page.getByText('$12.99'),
      continueButton(page),
    ])
      await expect(part).toBeInViewport({ ratio: 1 });
    expect((await boxOf(continueButton(page))).height).toBe(44);
  }
});

test('at the checkout the bar with the total is below the field of the address', async ({ page, store }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await buy(page, store, janeEyre.title);
  await page.goto(await store.checkoutOf(janeEyre.title));
  await page.getByLabel('Send to').fill('1 Hartfield Lane\nHighbury');
  expect((await boxOf(page.getByText('Total'))).y).toBeGreaterThan(
    (await boxOf(page.getByLabel('Send to'))).bottom,
  );
});

test('the orders fit on a phone, the facts of each before its details', async ({ page, store }) => {
  await buy(page, store, frankenstein.title);
  const row = rowOf(page, frankenstein.title);
  const details = detailsButton(page, frankenstein.title);
  await page.setViewportSize({ width: 390, height: 800 });
  // A title in two lines, its links, and the other cells in at most two lines, all beside the cover.
  await expect.poll(async () => (await boxOf(row)).height).toBeLessThan(150);
  const [, author, , price] = await row.getByRole('cell').all();
  if (!author || !price) throw new Error('a row without cells');
  expect((await boxOf(details)).bottom).toBeLessThanOrEqual((await boxOf(author)).y);
  expect(Math.abs((await boxOf(author)).y - (await boxOf(price)).y)).toBeLessThan(8);
  // The table is one for a screen reader.
  await expect(page.getByRole('columnheader')).toHaveCount(5);
  await details.click();
  await expect(row.getByRole('cell', { name: 'Quantity 1', exact: true })).toBeVisible();
  expect((await boxOf(row.getByText('$10.99'))).y).toBeLessThan(
    (await boxOf(row.getByText('Not sent yet'))).y,
  );

  await page.setViewportSize({ width: 320, height: 568 });
  const name = page.getByRole('banner').getByText(ada.name);
  await expect(name).toBeVisible();
  const isWhole = name.evaluate(
    (it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight,
  );
  expect(await isWhole).toBe(true);
});

test('on paper the orders and a receipt have one left edge, and nothing to press', async ({
  page,
  store,
}) => {
  await buy(page, store, janeEyre.title);
  await page.emulateMedia({ media: 'print' });
  for (const name of ['Colophon', ada.email, 'Ordered books list:', 'Book Name'])
    expect((await boxOf(page.getByText(name, { exact: true }).first())).x, name).toBe(0);
  for (const hidden of ['Thank you.', 'Log out', 'Signed in elsewhere?', 'Skip to content'])
    await expect(page.getByText(hidden).first()).toBeHidden();

  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('link', { name: 'receipt and bookplate' }).first().click();
  await page.getByRole('button', { name: 'Print' }).waitFor();
  await page.emulateMedia({ media: 'print' });
  for (const name of ['Colophon', 'Receipt', 'Order'])
    expect((await boxOf(page.getByText(name, { exact: true }).first())).x, name).toBe(0);
  await expect(page.getByRole('navigation')).toBeHidden();
});

test('the words of a spine stay on it, and lie on their side but for those of East Asia', async ({
  page,
  store,
}) => {
  const longTitle = 'The History of the Life and Adventures of a Very Long Title, Which Goes On. '.repeat(2);
  for (const title of ['Emma', longTitle]) await store.addBook({ title: title.trim() });
  for (const title of ['Emma', longTitle.trim(), '紅樓夢']) await buy(page, store, title);
  const spines = page.locator('main [aria-hidden="true"] > [data-title]');
  await expect(spines).toHaveCount(3);
  const looks = await spines.evaluateAll((elements) =>
    elements.map((spine) => {
      const style = spine.ownerDocument.defaultView.getComputedStyle(spine, '::before');
      const place = Number.parseFloat(style.width) <= spine.clientWidth ? 'inside' : 'outside';
      return `${style.textOrientation}, ${place}`;
    }),
  );
  expect(looks.toSorted()).toEqual(['mixed, inside', 'sideways, inside', 'sideways, inside']);

  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(spines.first()).toHaveCSS('box-shadow', 'rgba(255, 255, 255, 0.14) 0px 0px 0px 1px inset');
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(spines.first()).not.toHaveCSS('background-color', 'rgb(255, 255, 255)');
});

/** The import of a file of books: its check, its progress, and what survives failures. */

import type { Page } from '@playwright/test';
import { deskPaths, deskViewAddress } from '../contract/desk/paths.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import { serve } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre, testBooks } from './test-books.ts';

const image = 'https://covers.example/a.jpg';

const choose = (page: Page, ...lines: string[]) =>
  page.getByLabel('CSV file').setInputFiles({
    name: 'catalogue.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.map((line) => `${line}\r\n`).join('')),
  });

const report = (page: Page) => page.getByRole('heading', { level: 2 });

/** Expects the counts of the report, by name. */
const expectCounts = (page: Page, counts: Record<string, number>) =>
  expect(page.getByRole('region').locator('dl > div')).toHaveText(
    Object.entries(counts).map(([name, count]) => `${name} ${count}`),
  );

test.beforeEach(async ({ page }) => {
  await page.route('https://covers.example/**', (route) => route.abort());
});

test('a file is checked first and imported then, and so is an export', async ({ page, store }) => {
  const { title, author } = janeEyre;
  const [, deleted] = testBooks;
  await store.remove(deleted.title);
  await openSignedIn(page, deskViewAddress('import'));
  const importButton = page.getByRole('button', { name: /^Import/ });
  const rowsOf = (name: string) => page.getByRole('table', { name }).getByRole('row');
  const lines = [
    'price;title;author;image;keywords',
    `9,50;"Villette; a novel";Charlotte Brontë;${image};Snowe`,
    `13,25;${title};${author};${image};Thornfield`,
    `12,50;${deleted.title};${deleted.author};${image};`,
  ];
  const wrong = `twelve;Shirley;Charlotte Brontë;${image};`;
  await test.step('the check of a file says what would change, and changes nothing', async () => {
    await choose(page, ...lines, wrong);
    await expect(report(page)).toHaveText('Checked: some rows have errors');
    await expect(report(page)).toBeFocused();
    await expectCounts(page, {
      ...{ 'New books': 1, 'To change': 1, 'To restore': 1, Unchanged: 0, 'Rows with errors': 1 },
    });
    await expect(rowsOf('Errors in the file').nth(1)).toContainText('price');
    const changes = rowsOf('Changes of books').filter({ hasText: title }).first();
    await expect(changes.getByRole('listitem')).toContainText([
      /^image .* → https:\/\/covers\.example\/a\.jpg$/,
      /^keywords none → Thornfield$/,
      /^price \$\d+\.\d\d → \$13\.25$/,
    ]);
    await expect(page.getByRole('listitem').getByText('for sale again')).toBeVisible();
    await expectAccessible(page, 'a file that was checked');
    expect(await store.booksNamed('Villette; a novel')).toEqual([]);
  });
  await test.step('the import', async () => {
    await importButton.press('Enter');
    await expect(report(page)).toHaveText('Imported, apart from some rows');
    expect(await store.booksNamed('Villette; a novel')).toHaveLength(1);
    await choose(page, ...lines);
    await expect(report(page)).toHaveText('Checked: every book is there already');
    await expect(importButton).toHaveCount(0);
    await choose(page, ...lines, wrong);
    await expect(report(page)).toHaveText('Checked: some rows have errors');
  });
});

test('an import tells its progress, and where it was stopped', async ({ page }) => {
  const figures = { rows: 1233, bytes: 40_000, totalBytes: 100_000, rowsPerSecond: 800, secondsLeft: 3 };
  // The response reports a line of a long file, and then nothing more.
  const slow = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/jsonl' });
    response.write(`${JSON.stringify({ type: 'progress', line: 1234, ...figures })}\n`);
  });
  await openSignedIn(page, deskViewAddress('import'));
  await choose(page, 'title,author,price,image', `Villette,C. B.,9,${image}`);
  const importButton = page.getByRole('button', { name: 'Import 1 book' });
  // The check has ended.
  await importButton.waitFor();
  await page.route(`**${deskPaths.booksImport}?*`, (route) => route.continue({ url: slow.origin }));
  await importButton.press('Enter');

  await expect(page.getByRole('status').first()).toHaveText('Importing the books…');
  await expect(page.getByText('40 % · 1,233 rows · 800 a second · 3 s left')).toBeVisible();
  // The pressed button is gone; the next Tab continues from its replacement.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused();
  await page.keyboard.press('Enter');
  const alert = page.getByRole('alert');
  await expect(alert).toBeFocused();
  await expect(alert.getByRole('button', { name: 'Import the rest' })).toBeVisible();
  await expectAccessible(page, 'an import that was stopped');
  await expect(alert).toContainText(
    'The import was stopped. Everything up to line 1,234 is done at least, and the same file goes on from there.',
  );
  slow.close();
});

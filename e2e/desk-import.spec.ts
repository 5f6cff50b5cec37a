import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { deskPaths, deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre, testBooks } from './test-books.ts';

const image = 'https://covers.example/a.jpg';

const choose = (page: Page, lines: readonly string[]) =>
  page.getByLabel('CSV file').setInputFiles({
    name: 'catalogue.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.map((line) => `${line}\r\n`).join('')),
  });

const report = (page: Page) => page.getByRole('heading', { level: 2 });

/** Expects the counts of the report, by name. */
const expectCounts = (page: Page, counts: Record<string, number>) =>
  expect(page.getByRole('region').locator('dl > div')).toHaveText(
    Object.entries(counts).map(([name, count]) => `${name}${count}`),
  );

test.beforeEach(async ({ page }) => {
  await page.route('https://covers.example/**', (route) => route.abort());
});

test('a file is checked first and imported then, and so is an export', async ({ page, store }) => {
  await openSignedIn(page, deskViewAddress('import'));
  const importButton = page.getByRole('button', { name: /^Import/ });
  await choose(page, ['titel,author,price,image', `Emma,Jane Austen,1,${image}`]);
  await expect(report(page)).toHaveText('Checked: no row can be imported');
  await expect(page.getByText('Correct them in the file and choose it again.')).toBeVisible();
  await expect(page.getByText('import the others')).toHaveCount(0);
  await expect(page.getByText(/title is missing\.$/)).toBeVisible();
  await expect(importButton).toHaveCount(0);

  const { title, author } = janeEyre;
  const lines = [
    'price,title,author,image,keywords',
    `9.50,"Villette, a novel",Charlotte Brontë,${image},Snowe`,
    `13.25,${title},${author},${image},Thornfield`,
    `twelve,Shirley,Charlotte Brontë,${image},`,
    `1,,Nobody,${image},`,
  ];
  await choose(page, lines);
  await expect(report(page)).toHaveText('Checked: some rows have errors');
  await expect(report(page)).toBeFocused();
  await expectCounts(page, { 'New books': 1, 'To change': 1, Unchanged: 0, 'Rows with errors': 2 });
  const errors = page.getByRole('table', { name: 'Errors in the file' }).getByRole('row');
  await expect(errors.nth(1)).toContainText('4');
  await expect(errors.nth(1)).toContainText('price');
  await expect(errors.nth(2)).toContainText('title');
  const changes = page.getByRole('table', { name: 'Changes of books' }).getByRole('row');
  await expect(changes.nth(1)).toContainText(title);
  await expect(changes.nth(1).getByRole('listitem')).toContainText([
    /^image .* → https:\/\/covers\.example\/a\.jpg$/,
    /^keywords none → Thornfield$/,
    /^price \$\d+\.\d\d → \$13\.25$/,
  ]);
  expect(await store.booksNamed('Villette, a novel')).toEqual([]);

  await page.getByRole('button', { name: 'Import 2 books' }).press('Enter');
  await expect(report(page)).toHaveText('Imported, apart from some rows');
  await expectCounts(page, { Added: 1, Changed: 1, Unchanged: 0, 'Rows left out': 2 });
  expect(await store.booksNamed('Villette, a novel')).toHaveLength(1);

  await choose(page, lines.slice(0, 3));
  await expect(report(page)).toHaveText('Checked: every book is there already');
  await expectCounts(page, { 'New books': 0, 'To change': 0, Unchanged: 2, 'Rows with errors': 0 });
  await expect(importButton).toHaveCount(0);

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export all books as CSV' }).click();
  const buffer = await readFile(await (await download).path());
  expect(buffer.toString()).toContain(title);
  await page.getByLabel('CSV file').setInputFiles({ name: 'books.csv', mimeType: 'text/csv', buffer });
  const all = testBooks.length + 1;
  await expectCounts(page, { 'New books': 0, 'To change': 0, Unchanged: all, 'Rows with errors': 0 });
});

test('a check tells of books that come back, and of spellings that differ', async ({ page, store }) => {
  const { title, author } = janeEyre;
  const [, deleted] = testBooks;
  await store.remove(deleted.title);
  await openSignedIn(page, deskViewAddress('import'));

  await choose(page, [
    'title;author;price;image',
    `"${deleted.title}";"${deleted.author}";12,50;${image}`,
    `"${title.toUpperCase()}";"${author}";12,50;${image}`,
  ]);

  await expect(report(page)).toHaveText('Checked: ready to import');
  await expectCounts(page, {
    ...{ 'New books': 1, 'To change': 0, 'To restore': 1, Unchanged: 0, 'Rows with errors': 0 },
  });
  await expect(page.getByText('One new book differs from one you sell')).toBeVisible();
  const alike = page.getByRole('table', { name: 'Books that are spelled like others' }).getByRole('row');
  await expect(alike.nth(1)).toContainText(title.toUpperCase());
  await expect(alike.nth(1)).toContainText(`${title}, ${author}`);
  await expect(page.getByRole('listitem').getByText('for sale again')).toBeVisible();
});

test('an import tells its progress, and where it was stopped', async ({ page, store }) => {
  await openSignedIn(page, deskViewAddress('import'));
  const rows = Array.from({ length: 20_000 }, (_, index) => `Volume ${index},An Author,9,${image}`);
  await choose(page, ['title,author,price,image', ...rows]);
  await page.getByRole('button', { name: 'Import 20,000 books' }).press('Enter', { timeout: 60_000 });

  await expect(page.getByRole('status').first()).toHaveText('Importing the books…');
  // The button that was pressed is gone, and the next Tab goes on from what has come in its place.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused();
  await expect(page.getByText(/^\d+ % · [\d,]+ rows · [\d,]+ a second · \d+ (s|min) left$/)).toBeVisible();
  await page.keyboard.press('Enter');

  const alert = page.getByRole('alert');
  await expect(alert).toBeFocused();
  await expect(alert.getByRole('button', { name: 'Import the rest' })).toBeVisible();
  await expect(alert).toContainText(
    /The import was stopped\. Everything up to line [\d,]+ is done at least, and the same file goes on from there\./,
  );
  const [, shown = ''] = /line ([\d,]+)/.exec((await alert.textContent()) ?? '') ?? [];
  const line = Number(shown.replaceAll(',', ''));
  const countVolumes = async () =>
    (await store.db.selectFrom('books').select('id').where('author', '=', 'An Author').execute()).length;
  expect(line).toBeGreaterThan(1);
  expect(await countVolumes()).toBeGreaterThanOrEqual(line - 1);
  const newestDetails = async () =>
    (await store.db.selectFrom('activity').select('details').orderBy('seq', 'desc').execute())[0]?.details;
  await expect.poll(newestDetails).toContain('"state":"stopped"');

  await page.reload();

  await expect(
    page.getByText(/^The import of .* was stopped at line [\d,]+\. Choose the same file/),
  ).toBeVisible();
  const volumes = await countVolumes();
  expect(volumes).toBeLessThan(20_000);
  await expect(page.getByText(`line ${(volumes + 1).toLocaleString('en')}.`)).toBeVisible();

  // The entry of an import that goes on in another program, or whose process was killed just now.
  const details = JSON.stringify({ state: 'running', line: 1234, seenAt: Date.now() });
  await store.db.updateTable('activity').set({ details }).where('action', '=', 'books-imported').execute();
  await page.reload();
  await expect(page.getByText('is at line 1,234, or was when its program ended')).toBeVisible();
});

test('a dropped file outlasts failures, and its check can be stopped', async ({ page, provokes }) => {
  provokes(/ERR_FAILED/);
  await openSignedIn(page, deskViewAddress('import'));
  const data = await page.evaluateHandle(
    `(() => {
      const data = new DataTransfer();
      data.items.add(new File(['title,author,price,image\\nVillette,C. B.,9,${image}\\n'], 'dropped.csv'));
      return data;
    })()`,
  );
  const zone = page.getByText('Choose a CSV file, or drop it here');
  await zone.dispatchEvent('dragover', { dataTransfer: data });
  await zone.dispatchEvent('drop', { dataTransfer: data });
  await expect(page.getByText('dropped.csv')).toBeVisible();
  const importButton = page.getByRole('button', { name: 'Import 1 book' });
  await expect(importButton).toBeVisible();

  const call = `**${deskPaths.booksImport}?*`;
  const failed = { type: 'failed', code: 'UNAVAILABLE', title: 'The store cannot be reached.', line: 1 };
  await page.route(call, (route) =>
    route.fulfill({ body: `${JSON.stringify(failed)}\n`, headers: { 'x-request-id': 'abcdef-12' } }),
  );
  const alert = page.getByRole('alert');
  const tryAgain = page.getByRole('button', { name: 'Try again' });
  await importButton.click();
  await expect(alert).toContainText(
    'The import did not end. (Request abcdef-12) Everything up to line 1 is done',
  );
  await page.unroute(call);
  await page.route(call, (route) => route.abort());
  await tryAgain.click();
  await expect(alert).toContainText('The import did not end.');
  await expect(alert).not.toContainText('abcdef-12');
  await expect(page.getByText('dropped.csv')).toBeVisible();
  await page.unroute(call);
  await tryAgain.click();
  await expect(report(page)).toHaveText('Imported');

  // No response comes.
  await page.route(`**${deskPaths.booksImport}*`, () => undefined);
  await choose(page, ['title,author,price,image', `Villette,Charlotte Brontë,9,${image}`]);
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(page.getByRole('status').first()).toHaveText('Sending the file…');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(alert).toContainText('The check was stopped.');
});

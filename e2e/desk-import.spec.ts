import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { deskPaths, deskViewAddress } from '../contract/desk-paths.ts';
import { expectAccessible } from './accessible.ts';
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

/** The counts of the report, by name. */
const countsOf = async (page: Page): Promise<string[]> =>
  page.getByRole('region').locator('dl > div').allInnerTexts();

test.beforeEach(async ({ page }) => {
  await page.route('https://covers.example/**', (route) => route.abort());
});

test('a file without a row that can be imported is to be corrected, and offers no import', async ({
  page,
}) => {
  await openSignedIn(page, deskViewAddress('import'));

  await choose(page, ['titel,author,price,image', `Emma,Jane Austen,1,${image}`]);

  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Checked: no row can be imported');
  await expect(
    page.getByText('Correct them in the file and choose it again.', { exact: false }),
  ).toBeVisible();
  await expect(page.getByText('import the others')).toHaveCount(0);
  await expect(page.getByText(/title is missing\.$/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Import/ })).toHaveCount(0);
});

test('a file is checked first, imported then, and is for sale at once', async ({ page, store }) => {
  await openSignedIn(page, deskViewAddress('import'));
  await expectAccessible(page);
  const { title, author } = janeEyre;
  const lines = [
    'price,title,author,image,keywords',
    `9.50,"Villette, a novel",Charlotte Brontë,${image},Snowe`,
    `13.25,${title},${author},${image},Thornfield`,
    `twelve,Shirley,Charlotte Brontë,${image},`,
    `1,,Nobody,${image},`,
  ];

  await choose(page, lines);

  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Checked: some rows have errors');
  await expect(page.getByRole('heading', { level: 2 })).toBeFocused();
  expect(await countsOf(page)).toEqual([
    'New books\n1',
    'To change\n1',
    'Unchanged\n0',
    'Rows with errors\n2',
  ]);
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
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  const isForSale = async () =>
    (await store.db.selectFrom('books').select('id').where('title', '=', 'Villette, a novel').execute())
      .length;
  expect(await isForSale()).toBe(0);

  await page.getByRole('button', { name: 'Import 2 books' }).press('Enter');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Imported, apart from some rows');
  expect(await countsOf(page)).toEqual(['Added\n1', 'Changed\n1', 'Unchanged\n0', 'Rows left out\n2']);
  expect(await isForSale()).toBe(1);

  await choose(page, lines.slice(0, 3));
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Checked: every book is there already');
  expect(await countsOf(page)).toEqual([
    'New books\n0',
    'To change\n0',
    'Unchanged\n2',
    'Rows with errors\n0',
  ]);
  await expect(page.getByRole('button', { name: /^Import/ })).toHaveCount(0);
});

test('what is exported can be imported again, and changes nothing', async ({ page }) => {
  await openSignedIn(page, deskViewAddress('import'));
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export all books as CSV' }).click();
  const file = await (await download).path();
  expect(await readFile(file, 'utf8')).toContain(janeEyre.title);

  await page.getByLabel('CSV file').setInputFiles({
    name: 'books.csv',
    mimeType: 'text/csv',
    buffer: await readFile(file),
  });

  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Checked: every book is there already');
  expect(await countsOf(page)).toContain(`Unchanged\n${testBooks.length}`);
});

test('a check counts deleted books that come back, and names new ones that are spelled like others', async ({
  page,
  store,
}) => {
  const { title, author } = janeEyre;
  const [deleted] = testBooks.filter((book) => book.title !== title);
  await store.remove(deleted?.title ?? '');
  await openSignedIn(page, deskViewAddress('import'));

  await choose(page, [
    'title;author;price;image',
    `"${deleted?.title}";"${deleted?.author}";12,50;${image}`,
    `"${title.toUpperCase()}";"${author}";12,50;${image}`,
  ]);

  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Checked: ready to import');
  expect(await countsOf(page)).toEqual([
    'New books\n1',
    'To change\n0',
    'To restore\n1',
    'Unchanged\n0',
    'Rows with errors\n0',
  ]);
  await expect(page.getByText('One new book is spelled like a book of the store')).toBeVisible();
  const alike = page.getByRole('table', { name: 'Books that are spelled like others' }).getByRole('row');
  await expect(alike.nth(1)).toContainText(title.toUpperCase());
  await expect(alike.nth(1)).toContainText(`${title}, ${author}`);
  await expect(page.getByRole('listitem').getByText('for sale again')).toBeVisible();
  await expectAccessible(page);
});

test('an import tells its progress; stopped, it says how far it is, also to who comes back', async ({
  page,
  store,
}) => {
  await openSignedIn(page, deskViewAddress('import'));
  const rows = Array.from({ length: 20_000 }, (_, index) => `Volume ${index},An Author,9,${image}`);
  await choose(page, ['title,author,price,image', ...rows]);
  await page.getByRole('button', { name: 'Import 20,000 books' }).click({ timeout: 60_000 });

  await expect(page.getByRole('status').first()).toHaveText('Importing the books…');
  await expect(page.getByText(/^\d+ % · [\d,]+ rows · [\d,]+ a second · \d+ (s|min) left$/)).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();

  const alert = page.getByRole('alert');
  await expect(alert).toContainText(
    /The import was stopped\. Everything up to line [\d,]+ is done, and the same file goes on from there\./,
  );
  const [, shown = ''] = /line ([\d,]+)/.exec(await alert.innerText()) ?? [];
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
  await expectAccessible(page);

  // The entry of an import whose process was killed.
  const details = JSON.stringify({ state: 'running', line: 1234 });
  await store.db.updateTable('activity').set({ details }).where('action', '=', 'books-imported').execute();
  await page.reload();
  await expect(page.getByText('is at line 1,234, or was when its program ended')).toBeVisible();
});

test('an import that the store gives up says how far it is, and names its request', async ({ page }) => {
  await openSignedIn(page, deskViewAddress('import'));
  const rows = ['title,author,price,image', `Villette,C. B.,9,${image}`];
  await choose(page, rows);
  const failed = { type: 'failed', code: 'UNAVAILABLE', title: 'The store cannot be reached.', line: 1 };
  await page.route(`**${deskPaths.booksImport}?*`, (route) =>
    route.fulfill({ body: `${JSON.stringify(failed)}\n`, headers: { 'x-request-id': 'abcdef-12' } }),
  );

  await page.getByRole('button', { name: 'Import 1 book' }).click();

  await expect(page.getByRole('alert')).toContainText(
    'The import did not end. (Request abcdef-12) Everything up to line 1 is done',
  );
});

test('a file is dropped on the page', async ({ page }) => {
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
  await expect(page.getByRole('button', { name: 'Import 1 book' })).toBeVisible();
});

test('a failure keeps the file, and trying again imports it', async ({ page, provokes }) => {
  provokes(/ERR_FAILED/);
  await openSignedIn(page, deskViewAddress('import'));
  await choose(page, ['title,author,price,image', `Villette,Charlotte Brontë,9,${image}`]);
  let isBroken = true;
  await page.route('**/desk/api/books/import*', (route) => (isBroken ? route.abort() : route.continue()));
  await page.getByRole('button', { name: 'Import 1 book' }).click();
  await expect(page.getByRole('alert')).toContainText('The import did not end.');
  await expect(page.getByText('catalogue.csv')).toBeVisible();
  await expectAccessible(page);
  isBroken = false;

  await page.getByRole('button', { name: 'Try again' }).click();

  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Imported');
});

test('a check that takes long can be stopped', async ({ page }) => {
  await openSignedIn(page, deskViewAddress('import'));
  // No response comes.
  await page.route('**/desk/api/books/import*', () => undefined);
  await choose(page, ['title,author,price,image', `Villette,Charlotte Brontë,9,${image}`]);

  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(page.getByRole('status').first()).toHaveText('Sending the file…');
  await page.getByRole('button', { name: 'Stop' }).click();

  await expect(page.getByRole('alert')).toContainText('The check was stopped.');
});

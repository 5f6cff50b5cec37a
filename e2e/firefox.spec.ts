import { writeFile } from 'node:fs/promises';
import { expect, test } from './firefox-fixtures.ts';
import { ada } from './sign-in.ts';
import { coverPng, frankenstein, janeEyre, testBooks } from './test-books.ts';

test('in Firefox a visitor searches, signs in through the popup, buys the book and sees the order', async ({
  visitor,
}) => {
  await visitor.open('/');
  await expect.poll(() => visitor.texts('article h2')).toHaveLength(testBooks.length);
  await visitor.write('searchbox', 'Search', 'frankenstien');
  await expect.poll(() => visitor.texts('article h2')).toEqual([frankenstein.title]);
  await visitor.press('link', `BUY NOW: ${frankenstein.title}`);
  await visitor.signIn(ada);

  await expect.poll(visitor.path).toMatch(/^\/checkout\//);
  await visitor.press('button', 'Checkout');

  await expect.poll(visitor.path).toBe('/orders');
  await expect
    .poll(() => visitor.texts('tbody td'))
    .toEqual([frankenstein.title, frankenstein.author, '1', '$10.99', new Date().toDateString()]);
  await expect.poll(() => visitor.texts('main')).toEqual([expect.stringContaining(ada.email)]);
});

test('in Firefox an admin adds a book with an image, deletes one, and undoes it', async ({
  visitor,
}, testInfo) => {
  const file = testInfo.outputPath('cover.png');
  await writeFile(file, await coverPng('#7a1f2b'));
  const titles = () => visitor.texts('tbody td:nth-child(2)');
  const shelf = testBooks.map(({ title }) => title);
  const message = new Promise<string>((resolve) => {
    visitor.page.once('dialog', async (dialog) => {
      await dialog.accept();
      resolve(dialog.message());
    });
  });
  await visitor.open('/admin');
  await visitor.signIn(ada);
  await visitor.press('button', 'Add Book');
  await visitor.write('textbox', 'Book Name', 'The Lifted Veil');
  await visitor.write('textbox', 'Book Price', '12.50');
  await visitor.write('textbox', 'Author Name', 'George Eliot');
  const input = await visitor.page.$('input[type=file]');
  if (!input) throw new Error('there is no field for the image');
  await input.uploadFile(file);
  const submit = 'main form button:not([disabled])[type=submit]';
  await expect.poll(() => visitor.texts(submit)).toEqual(['Add Book']);
  await visitor.page.click(submit);
  expect(await message).toBe('Successfully added');

  await visitor.press('button', 'Manage books');
  await expect.poll(titles).toEqual(['The Lifted Veil', ...shelf]);
  await visitor.press('button', `Delete: ${janeEyre.title}`);
  await expect.poll(titles).toEqual(['The Lifted Veil', ...shelf.slice(1)]);
  await visitor.press('button', 'Undo');
  await expect.poll(titles).toEqual(['The Lifted Veil', ...shelf]);
});

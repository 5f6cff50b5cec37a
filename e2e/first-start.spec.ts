import { demoBooks } from '../server/demo/books.ts';
import { expect, test } from './fixtures.ts';

test.use({ storeOptions: { stock: async () => {} } });

test('a store that starts for the first time shows the demo catalogue with all its covers', async ({
  page,
}) => {
  const imageAnswers: number[] = [];
  page.on('response', (answer) => {
    if (answer.request().resourceType() === 'image') imageAnswers.push(answer.status());
  });

  await page.goto('/');

  const cards = page.getByRole('article');
  await expect(cards.getByRole('heading')).toHaveText(demoBooks.map(({ title }) => title));
  for (const card of await cards.all()) {
    await card.scrollIntoViewIfNeeded();
    await expect(card.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
  }
  expect(imageAnswers).toEqual(Array(imageAnswers.length).fill(200));
  expect(imageAnswers.length).toBeGreaterThanOrEqual(demoBooks.length);
});

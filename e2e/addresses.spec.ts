/** The addresses that the server's router and the browser's router accept. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { screens } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';

const spellings: Record<string, (path: string) => string> = {
  'as it is': (path) => path,
  'with a slash at its end': (path) => `${path}/`,
  'with two slashes at its beginning': (path) => `/${path}`,
  'in capitals': (path) => path.toUpperCase(),
  'with a letter percent-encoded': (path) =>
    path.replace(/\w/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  'with a part too many': (path) => `${path}/more`,
};

test('an address is a page for the server and the browser, or for neither, however it is written', async ({
  page,
  store,
  provokes,
}) => {
  provokes(/404/);
  const [book] = await store.booksNamed(janeEyre.title);
  await openSignedIn(page, '/orders');
  for (const path of [screens.book(book?.id ?? ''), deskViewAddress('orders')]) {
    for (const [name, spell] of Object.entries(spellings)) {
      const response = await page.goto(`${store.origin}${spell(path)}?utm_source=here`);
      const isMissing = page.getByRole('heading', { name: 'We can’t find that page' });
      const { origin, pathname, search } = new URL(page.url());
      expect(origin, `${path} ${name}`).toBe(store.origin);
      if (response?.status() === 404) await expect(isMissing, `${path} ${name}`).toBeVisible();
      else {
        await expect(page.getByRole('heading', { level: 1 }), `${path} ${name}`).toBeVisible();
        await expect(isMissing, `${path} ${name}`).toHaveCount(0);
        expect([pathname, search]).toEqual([path, '?utm_source=here']);
      }
    }
  }
});

/** The server's router and the browser's. */

import { deskScreens } from '../contract/desk/paths.ts';
import { screenPatterns } from '../contract/paths.ts';
import { expect, test } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import { janeEyre } from './test-books.ts';

const spellings: Record<string, (path: string) => string> = {
  'as it is': (path) => path,
  'with a slash at its end': (path) => `${path}/`,
  'with two slashes at its end': (path) => `${path}//`,
  'with two slashes at its beginning': (path) => `/${path}`,
  'in capitals': (path) => path.toUpperCase(),
  'with a letter percent-encoded': (path) =>
    path.replace(/\w/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  'with a part too many': (path) => `${path}/more`,
};

for (const [name, spell] of Object.entries(spellings)) {
  test(`an address ${name} is a page for the server and the browser, or for neither`, async ({
    page,
    store,
    provokes,
  }) => {
    const [book] = await store.booksNamed(janeEyre.title);
    await openSignedIn(page, '/orders');
    const statuses = new Set<number>();
    for (const pattern of [...screenPatterns, ...deskScreens]) {
      const path = pattern.replace(/:\w+/, book?.id ?? '');
      const response = await page.goto(`${store.origin}${spell(path)}?utm_source=here`);
      const status = response?.status() ?? 0;
      statuses.add(status);
      const isMissing = page.getByRole('heading', { name: 'We can’t find that page' });
      const { origin, pathname, search } = new URL(page.url());
      expect(origin, path).toBe(store.origin);
      if (status === 404) await expect(isMissing, path).toBeVisible();
      else {
        await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
        await expect(isMissing, path).toHaveCount(0);
        if (path !== '/login') expect([pathname, search]).toEqual([path, '?utm_source=here']);
      }
    }
    if (statuses.has(404)) provokes(/404/);
  });
}

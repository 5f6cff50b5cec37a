/** The weight of the home screen: the files that a visitor loads. */

import { deskViewAddress } from '../contract/desk/paths.ts';
import { expect, test } from './fixtures.ts';
import { loadedFiles, watchRequests } from './requests.ts';
import { openSignedIn } from './sign-in.ts';
import { testBooks } from './test-books.ts';
import { titles } from './visitor.ts';

test('home loads at most 82 KB of JavaScript, and for a shelf in Latin letters one font of at most 45 KB', async ({
  page,
  store,
}) => {
  for (const { title } of testBooks) if (!/^[\0-\xff]*$/.test(title)) await store.remove(title);
  const response = page.waitForResponse('**/assets/*.js');
  await page.goto('/');
  await titles(page).first().waitFor();
  expect((await response).headers()['content-encoding']).toBe('br');
  const scripts = await loadedFiles(page, '.js');
  expect(scripts.names.length).toBeGreaterThan(1);
  expect(scripts.bytes).toBeLessThanOrEqual(82 * 1024);
  await titles(page).last().scrollIntoViewIfNeeded();
  const fonts = await loadedFiles(page, '.woff2');
  expect(fonts.names).toHaveLength(1);
  expect(fonts.bytes).toBeLessThanOrEqual(45_000);
});

test('a page that is left reports once how fast it was, and the desk does not', async ({ page }) => {
  const counted = async () => {
    const metrics = await (await page.request.get('/metrics')).text();
    const of = (figure: string) =>
      Number(new RegExp(`^visitor_${figure}_count{screen="login"} (\\d+)`, 'm').exec(metrics)?.[1] ?? 0);
    return ['lcp_seconds', 'inp_seconds', 'cls'].map(of);
  };
  const before = await counted();
  const loaded = page.waitForResponse('**/assets/vitals-*.js');
  await page.goto('/login');
  await loaded;
  await page.getByRole('heading', { level: 1 }).click();
  await page.goto('about:blank');
  await expect.poll(counted).toEqual(before.map((count) => count + 1));
  await openSignedIn(page, deskViewAddress('today'));
  const reports = watchRequests(page, (path) => path.includes('vitals'));
  await page.reload({ waitUntil: 'networkidle' });
  await page.goto('about:blank');
  expect(reports).toEqual([]);
});

test.describe('on a phone with two device pixels to each of CSS', () => {
  test.use({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true });

  test('a cover is fetched at 320 pixels', async ({ page }) => {
    await page.goto('/');
    await titles(page).first().waitFor();
    const { names } = await loadedFiles(page, '.webp');
    expect(new Set(names.map((name) => name.replace(/.*-(?=\d+\.webp$)/, '')))).toEqual(
      new Set(['320.webp']),
    );
  });
});

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openShelf } from './transfers.ts';

type Loading = { loading: string; fetchPriority: string };
const coverAttributes = (page: Page): Promise<Loading[]> =>
  page.locator('article img').evaluateAll((images) =>
    images.map((image) => ({
      loading: image.getAttribute('loading') ?? '',
      fetchPriority: image.getAttribute('fetchpriority') ?? '',
    })),
  );
const eager = ({ loading }: Loading) => loading === 'eager';
const first = ({ fetchPriority }: Loading) => fetchPriority === 'high';

test.describe('on a phone with two device pixels to each of CSS', () => {
  test.use({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true });

  test('a cover is fetched at 320 pixels, two covers at once, and the first before all others', async ({
    page,
  }) => {
    const files = new Set<string>();
    page.on('request', (request) => {
      if (request.resourceType() === 'image') files.add(request.url().replace(/.*-(?=\d+\.webp$)/, ''));
    });

    await openShelf(page);
    await page.waitForLoadState('networkidle');

    expect([...files]).toEqual(['320.webp']);
    const covers = await coverAttributes(page);
    expect([covers.filter(eager).length, covers.filter(first).length]).toEqual([2, 1]);
    expect(covers.slice(0, 2).every(eager)).toBe(true);
  });
});

test('on a wide screen a row of covers, of four here, is fetched at once', async ({ page }) => {
  await openShelf(page);

  const covers = await coverAttributes(page);
  expect([covers.filter(eager).length, covers.filter(first).length]).toEqual([4, 4]);
});

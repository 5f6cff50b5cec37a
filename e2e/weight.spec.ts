import { expect, test } from './fixtures.ts';

const budgetBytes = 100_000;

test('home needs less than 100 KB of JavaScript, compressed', async ({ page }) => {
  const scripts: { coding: string | undefined; bytes: number }[] = [];
  const measured: Promise<void>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    measured.push(
      (async () => {
        const response = await request.response();
        const { responseBodySize } = await request.sizes();
        scripts.push({ coding: response?.headers()['content-encoding'], bytes: responseBodySize });
      })(),
    );
  });

  await page.goto('/');
  await page.getByRole('article').first().waitFor();
  await page.waitForLoadState('networkidle');
  await Promise.all(measured);

  expect(scripts.length).toBeGreaterThan(1);
  // A file of a few hundred bytes gains nothing.
  expect(scripts.filter(({ coding, bytes }) => !coding && bytes > 1024)).toEqual([]);
  expect(scripts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(budgetBytes);
});

import { expect, test } from './fixtures.ts';

const budgetBytes = 100_000;

test('home loads less than 100 KB of compressed JavaScript', async ({ page }) => {
  const scripts: { encoding: string | undefined; bytes: number }[] = [];
  const measured: Promise<void>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    measured.push(
      (async () => {
        const response = await request.response();
        const { responseBodySize } = await request.sizes();
        scripts.push({ encoding: response?.headers()['content-encoding'], bytes: responseBodySize });
      })(),
    );
  });

  await page.goto('/');
  await page.getByRole('article').first().waitFor();
  await page.waitForLoadState('networkidle');
  await Promise.all(measured);

  expect(scripts.length).toBeGreaterThan(1);
  // Compression does not help a file of a few hundred bytes.
  expect(scripts.filter(({ encoding, bytes }) => !encoding && bytes > 1024)).toEqual([]);
  expect(scripts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(budgetBytes);
});

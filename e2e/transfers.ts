/** The transfers of a page. */

import type { Page } from '@playwright/test';

type Transfer = { name: string; encoding: string | undefined; bytes: number };

/** Records what the page loads from now on. @returns a function that returns it, once nothing is under way any more. */
export function recordTransfers(
  page: Page,
  kind: 'script' | 'stylesheet' | 'font' | 'image',
): () => Promise<Transfer[]> {
  const transfers: Promise<Transfer>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== kind) return;
    const measure = async () => ({
      name: new URL(request.url()).pathname,
      encoding: (await request.response())?.headers()['content-encoding'],
      bytes: (await request.sizes()).responseBodySize,
    });
    transfers.push(measure());
  });
  return async () => {
    await page.waitForLoadState('networkidle');
    return await Promise.all(transfers);
  };
}

export const bytesOf = (transfers: readonly Transfer[]): number =>
  transfers.reduce((sum, { bytes }) => sum + bytes, 0);

export async function openShelf(page: Page): Promise<void> {
  // Not until everything is loaded: a test may hold a file back.
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('article').first().waitFor();
}

/** Scrolls to the end of the shelf, so that each book is shown once. */
export async function scrollThrough(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  const isAtEnd = () =>
    page.evaluate<boolean>('innerHeight + Math.ceil(scrollY) >= document.documentElement.scrollHeight');
  while (!(await isAtEnd())) {
    await page.evaluate('scrollBy(0, innerHeight)');
    await page.waitForLoadState('networkidle');
  }
}

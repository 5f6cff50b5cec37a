/** `npm --prefix lab run taps`: a visitor taps and types on a slowed-down phone; prints how long the page took to answer. */

import { setTimeout as pause } from 'node:timers/promises';
import { chromium, devices, type Locator } from '@playwright/test';
import { findChromium, howToInstall } from '../e2e/browsers/chromium.ts';
import { readOptions, wholeNumber } from '../tools/options.ts';
import { openDemoStore } from './demo-store.ts';

const options = readOptions('npm --prefix lab run taps', 'Taps through the shop on a slowed-down phone.', {
  visits: wholeNumber('how many visits of seven interactions', 50, 1),
  slowdown: wholeNumber('how many times slower the processor of the page is', 4, 1),
  books: wholeNumber('how many books beside the demo', 0),
});
const executablePath = findChromium();
if (!executablePath) throw new Error(howToInstall);
const store = await openDemoStore(options.books);
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
try {
  const slowest = new Map<string, number[]>();
  for (let visit = 0; visit < options.visits; visit += 1) {
    const page = await browser.newPage({ ...devices['Pixel 7'], baseURL: store.origin });
    // The duration of an interaction is its longest event: https://w3c.github.io/event-timing/
    await page.addInitScript(`
      window.longestMs = 0;
      new PerformanceObserver((list) => {
        for (const { interactionId, duration } of list.getEntries()) if (interactionId) longestMs = Math.max(longestMs, duration);
      }).observe({ type: 'event', durationThreshold: 16 });`);
    await page.goto('/', { waitUntil: 'networkidle' });
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: options.slowdown });
    const measure = async (name: string, act: () => Promise<unknown>, shown: string) => {
      await page.evaluate('longestMs = 0');
      await act();
      await page.locator(shown).first().waitFor();
      // Entries come in a task of their own, after the next frame.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))');
      const ms = await page.evaluate<number>('longestMs');
      slowest.set(name, [...(slowest.get(name) ?? []), ms]);
    };
    // A finger rests for a moment; Playwright's tap does not.
    const tap = async (link: Locator) => {
      await link.scrollIntoViewIfNeeded();
      const { x = 0, y = 0, width = 0, height = 0 } = (await link.boundingBox()) ?? {};
      const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
      await devTools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
      await pause(80);
      await devTools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    const field = page.getByRole('combobox', { name: 'Search' }).first();
    await measure(
      'a book of the front table',
      () => tap(page.locator('main a[href^="/books/"]').nth(visit % 4)),
      'h1',
    );
    await page.goBack();
    await measure(
      'a letter into the search',
      () => field.pressSequentially('fran', { delay: 200 }),
      '[role=option]',
    );
    await measure('Enter, for the results', () => field.press('Enter'), 'main a[href^="/books/"]');
    await measure('a book of the results', () => tap(page.locator('main a[href^="/books/"]').first()), 'h1');
    await page.close();
  }
  const line = (name: string, times: readonly number[]) => {
    const sorted = times.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
    console.log(`${name.padEnd(28)} p50 ${at(0.5)} ms, p98 ${at(0.98)} ms`);
  };
  for (const [name, times] of slowest) line(name, times);
  line('all', [...slowest.values()].flat());
} finally {
  await browser.close();
  await store.close();
}

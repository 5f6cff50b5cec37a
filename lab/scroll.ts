/** `npm --prefix lab run scroll`: scrolls through a long list in Chromium on a slowed-down processor, and prints the times. */

import { type Browser, chromium, type Page } from '@playwright/test';
import { findChromium, howToInstall } from '../e2e/browsers/chromium.ts';
import { signInAndOpen } from '../e2e/sign-in.ts';
import { openStore } from '../e2e/store.ts';
import { addTestBooks, addWorks } from '../e2e/test-books.ts';
import { flag, readOptions, wholeNumber } from '../tools/options.ts';

const booksPerPage = 200;

type Scroll = { pages: number; seconds: number; longTasksMs: number[]; nodes: number };

/** Scrolls by half a viewport in each frame, until the end of the last page, for five minutes at most. */
async function scrollThrough(page: Page, pages: number): Promise<Scroll> {
  await page.evaluate(`
    window.longTasksMs = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasksMs.push(duration);
    }).observe({ type: 'longtask' });
    // The first page was loaded already.
    window.pagesLoaded = 1;
    new PerformanceObserver((list) => {
      pagesLoaded += list.getEntries().filter(({ name }) => new URL(name).pathname === '/books').length;
    }).observe({ type: 'resource' });`);
  // After this click the shelf grows by itself.
  const more = page.getByRole('button', { name: 'Show more' });
  if (await more.isVisible()) await more.click();
  const start = performance.now();
  const secondsSinceStart = () => (performance.now() - start) / 1000;
  let isAtEnd = false;
  while (!isAtEnd && secondsSinceStart() < 300) {
    isAtEnd = await page.evaluate<boolean>(`(async () => {
      const { scrollingElement } = document;
      for (let frame = 0; frame < 50; frame += 1) {
        window.scrollBy(0, window.innerHeight / 2);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      const { scrollTop, scrollHeight, clientHeight } = scrollingElement;
      return pagesLoaded >= ${pages} && scrollTop + clientHeight >= scrollHeight - 2;
    })()`);
  }
  const seconds = secondsSinceStart();
  return {
    seconds,
    ...(await page.evaluate<Omit<Scroll, 'seconds'>>(`(() => {
      const walker = document.createTreeWalker(document.body);
      let nodes = 0;
      while (walker.nextNode()) nodes += 1;
      return { pages: pagesLoaded, longTasksMs, nodes };
    })()`)),
  };
}

async function main(): Promise<void> {
  const options = readOptions('npm --prefix lab run scroll', 'Scrolls through a long list in Chromium.', {
    books: wholeNumber('how many books', 10_000, booksPerPage),
    slowdown: wholeNumber('how many times slower the processor of the page is', 4, 1),
    admin: flag('the list of the admin screen instead of the shelf'),
  });
  const executablePath = findChromium();
  if (!executablePath) throw new Error(howToInstall);
  const store = await openStore({
    stock: async (db) => {
      await addTestBooks(db);
      await db.deleteFrom('books').execute();
      await addWorks(db, options.books);
    },
  });
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({
      executablePath,
      args: ['--disable-background-networking', '--disable-gpu'],
      chromiumSandbox: process.getuid?.() !== 0,
    });
    const page = await browser.newPage({ baseURL: store.origin, viewport: { width: 1280, height: 800 } });
    if (options.admin) await signInAndOpen(page, '/admin');
    else await page.goto('/');
    await page.getByText('Work 1', { exact: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: options.slowdown });

    const pages = Math.ceil(options.books / booksPerPage);
    const { longTasksMs, ...scroll } = await scrollThrough(page, pages);

    process.stdout.write(
      `${[
        `books loaded        ${Math.min(options.books, scroll.pages * booksPerPage)}`,
        `seconds             ${scroll.seconds.toFixed(1)}`,
        `tasks over 50 ms    ${longTasksMs.length}`,
        `tasks over 100 ms   ${longTasksMs.filter((ms) => ms > 100).length}`,
        `longest task, ms    ${Math.round(Math.max(0, ...longTasksMs))}`,
        `nodes               ${scroll.nodes}`,
      ].join('\n')}\n`,
    );
  } finally {
    await browser?.close();
    await store.close();
  }
}

if (import.meta.main) await main();

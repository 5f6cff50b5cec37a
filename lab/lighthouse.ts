/** `npm --prefix lab run lighthouse`: measures the demo's public screens as Lighthouse's phone does, three times each. */

import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { findChromium, howToInstall } from '../e2e/browsers/chromium.ts';
import { findFreePort } from '../server/testing/free-ports.ts';
import { readOptions, wholeNumber } from '../tools/options.ts';
import { openDemoStore } from './demo-store.ts';

const options = readOptions('npm --prefix lab run lighthouse', 'Measures the public screens as a phone.', {
  books: wholeNumber('how many books beside the demo', 0),
});
const executablePath = findChromium();
if (!executablePath) throw new Error(howToInstall);
const store = await openDemoStore(options.books);
const port = await findFreePort();
const args = [`--remote-debugging-port=${port}`];
const browser = await chromium.launch({ executablePath, args, chromiumSandbox: process.getuid?.() !== 0 });
const unfinished = store.db.selectFrom('images').select('id').where('colour', 'is', null).limit(1);
try {
  // The image worker is still making the widths of the covers.
  while (await unfinished.executeTakeFirst()) await pause(200);
  const book = await store.db.selectFrom('books').select('id').executeTakeFirstOrThrow();
  for (const path of ['/', `/books/${book.id}`, '/?q=the', '/authors/jane-austen', '/login']) {
    const runs: number[][] = [];
    while (runs.length < 3) {
      const result = await lighthouse(store.origin + path, { port, output: 'json', logLevel: 'error' });
      if (!result || result.lhr.runtimeError) throw new Error(result?.lhr.runtimeError?.message);
      runs.push(Object.values(result.lhr.categories).map(({ score }) => Math.round(100 * (score ?? 0))));
    }
    const [, [performance = 0, ...others] = []] = runs.sort(([one = 0], [other = 0]) => one - other);
    console.log(`${path}: performance ${performance}, accessibility, practices, SEO ${others.join(', ')}`);
    // The lowest allowed score of the home screen.
    if (path === '/' && performance < 97) process.exitCode = 1;
  }
} finally {
  await browser.close();
  await store.close();
}

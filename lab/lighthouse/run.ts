/** `npm run lighthouse`: measures every screen, on a phone and on a desktop, with few and many books. */

import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { deskAddress, deskViewAddress } from '../../contract/desk/paths.ts';
import { screens } from '../../contract/paths.ts';
import type { Store } from '../../e2e/store.ts';
import { readOptions, someOf, wholeNumber } from '../../tools/options.ts';
import { type Audit, audit, type Device, devices } from './audit.ts';
import { launchChromium, purchase, signIn } from './browser.ts';
import { type Measured, type Results, writeReport } from './report.ts';
import { openShelf, type Shelf, shelves } from './stores.ts';

/** Each screen's path, for the id of a book. The login is shown only to visitors who are not signed in; it and the two beside it are measured first. */
const pathOf = {
  home: () => screens.home,
  login: () => screens.login,
  book: screens.book,
  checkout: screens.checkout,
  orders: () => screens.orders,
  admin: () => screens.admin,
  desk: () => deskAddress,
  'desk-orders': () => deskViewAddress('orders'),
  'desk-books': () => deskViewAddress('books'),
} satisfies Record<string, (bookId: string) => string>;
type Screen = keyof typeof pathOf;
const publicScreens: readonly Screen[] = ['home', 'login', 'book'];
const screenNames = Object.keys(pathOf) as Screen[];

const options = readOptions(
  'npm run lighthouse',
  'Measures the screens with Lighthouse, and prints the tables. If all is measured, writes lab/lighthouse/results.md.',
  {
    screens: someOf('what to measure', screenNames),
    devices: someOf('as what', devices),
    shelves: someOf('numbers of books', shelves),
    runs: wholeNumber('measurements of each, of which the median counts', 3, 1),
    purchases: wholeNumber('purchases to time on each shelf', 9, 1),
  },
);

if (!existsSync(join(import.meta.dirname, '..', '..', 'dist', 'index.html'))) {
  console.error('The pages are not built: `npm run build` builds them.');
  process.exit(1);
}

async function addressOf(screen: Screen, { origin, db }: Store): Promise<string> {
  const { id } = await db
    .selectFrom('books')
    .select('id')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return origin + pathOf[screen](id);
}

async function measureShelf(
  shelf: Shelf,
): Promise<{ measured: Measured[]; purchases: Results['purchases'][0] }> {
  const store = await openShelf(shelf);
  const browser = await launchChromium().catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const port = Number(new URL(browser.wsEndpoint()).port);
  const measured: Measured[] = [];
  const measure = async (screen: Screen) => {
    if (!options.screens.includes(screen)) return;
    const address = await addressOf(screen, store);
    for (const device of options.devices) {
      const audits: Audit[] = [];
      for (let run = 0; run < options.runs; run += 1) audits.push(await audit(address, device, port));
      measured.push({ screen, shelf, device, audits });
      report(screen, shelf, device, audits);
    }
  };

  try {
    for (const screen of publicScreens) await measure(screen);
    const page = await browser.newPage();
    await signIn(page, store.origin);
    // The first one warms up.
    await purchase(page, store.origin);
    const purchases = [];
    while (purchases.length < options.purchases) purchases.push(await purchase(page, store.origin));
    await page.close();
    for (const screen of screenNames) if (!publicScreens.includes(screen)) await measure(screen);
    return { measured, purchases: { shelf, purchases } };
  } finally {
    await browser.close();
    await store.close();
  }
}

const report = (screen: Screen, shelf: Shelf, device: Device, audits: readonly Audit[]) =>
  console.error(
    `${screen}, ${shelf} books, ${device}: ${audits.map(({ scores }) => Object.values(scores).join(' ')).join('; ')}`,
  );

const results: Results = {
  machine: `Measured on ${new Date().toISOString().slice(0, 10)} with ${cpus().length} cores of ${cpus()[0]?.model.trim()}.`,
  measured: [],
  purchases: [],
};
for (const shelf of options.shelves) {
  const { measured, purchases } = await measureShelf(shelf);
  results.measured.push(...measured);
  results.purchases.push(purchases);
}
const tables = writeReport(results);
process.stdout.write(tables);
const isAll =
  options.runs >= 3 && results.measured.length === screenNames.length * devices.length * shelves.length;
if (isAll) writeFileSync(join(import.meta.dirname, 'results.md'), tables);

/** The tables of the measurement, in Markdown. */

import { median } from '../bench/figures.ts';
import { type Audit, type Device, devices, kinds } from './audit.ts';
import type { Purchase } from './browser.ts';
import type { Shelf } from './stores.ts';

export type Measured = { screen: string; shelf: Shelf; device: Device; audits: Audit[] };
export type Results = {
  machine: string;
  measured: Measured[];
  purchases: { shelf: Shelf; purchases: Purchase[] }[];
};

export function writeReport({ machine, measured, purchases }: Results): string {
  return [
    '# Lighthouse',
    `Written by \`npm run lighthouse\`. ${machine}`,
    'Each figure is the median of the runs; in brackets are the lowest and the highest. The pages are loaded with an empty cache, and Lighthouse simulates its network and its processor: for a phone 1.6 Mbit/s with 150 ms, and a processor at a quarter of this machine’s speed.',
    ...devices.flatMap((device) => {
      const rows = measured.filter((one) => one.device === device);
      return rows.length === 0 ? [] : [`## ${device === 'mobile' ? 'Phone' : 'Desktop'}`, scoreTable(rows)];
    }),
    '## Bytes',
    'As transferred, in KB of 1,000 bytes: compressed, with headers.',
    byteTable(measured),
    '## From a press to the next screen',
    'In Chromium on this machine, without simulation, on a shelf that has been used before.',
    purchaseTable(purchases),
  ]
    .join('\n\n')
    .concat('\n');
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map((_, index) => (index === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const grouped = (value: number): string => Math.round(value).toLocaleString('en');
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** @returns the median, and the range where the values differ. */
function spread(values: readonly number[], write: (value: number) => string): string {
  const [middle, low, high] = [median(values), Math.min(...values), Math.max(...values)].map(write);
  return low === high ? `${middle}` : `${middle} (${low} to ${high})`;
}

const scoreTable = (rows: readonly Measured[]): string =>
  table(
    ['screen', 'books', 'performance', 'accessibility', 'best practices', 'SEO', 'LCP', 'TBT', 'CLS'],
    rows.map(({ screen, shelf, audits }) => [
      screen,
      grouped(Number(shelf)),
      spread(
        audits.map(({ scores }) => scores.performance),
        String,
      ),
      spread(
        audits.map(({ scores }) => scores.accessibility),
        String,
      ),
      spread(
        audits.map(({ scores }) => scores['best-practices']),
        String,
      ),
      withFailures(
        spread(
          audits.map(({ scores }) => scores.seo),
          String,
        ),
        audits,
      ),
      spread(
        audits.map(({ lcpMs }) => lcpMs),
        seconds,
      ),
      spread(
        audits.map(({ tbtMs }) => tbtMs),
        (ms) => `${Math.round(ms)} ms`,
      ),
      spread(
        audits.map(({ cls }) => cls),
        (value) => value.toFixed(3),
      ),
    ]),
  );

const withFailures = (text: string, audits: readonly Audit[]): string => {
  const failures = [...new Set(audits.flatMap((audit) => audit.failures))];
  return failures.length === 0 ? text : `${text}; ${failures.join(', ')}`;
};

const byteTable = (measured: readonly Measured[]): string =>
  table(
    ['screen', 'books', 'device', ...kinds.map((kind) => kind.toLowerCase()), 'all'],
    measured.map(({ screen, shelf, device, audits }) => {
      const sums = kinds.map((kind) => median(audits.map(({ bytes }) => bytes[kind])));
      const all = [...sums, sums.reduce((sum, bytes) => sum + bytes, 0)];
      return [screen, grouped(Number(shelf)), device, ...all.map((bytes) => (bytes / 1000).toFixed(1))];
    }),
  );

const purchaseTable = (purchases: Results['purchases']): string =>
  table(
    ['books', 'BUY NOW to the filled checkout', 'Checkout to the orders'],
    purchases.map(({ shelf, purchases }) => [
      grouped(Number(shelf)),
      ...(['checkoutMs', 'ordersMs'] as const).map((figure) =>
        spread(
          purchases.map((one) => one[figure]),
          (ms) => `${Math.round(ms)} ms`,
        ),
      ),
    ]),
  );

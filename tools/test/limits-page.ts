/** docs/limits.md, with the numbers that the code has. `npm test -- tools/test/docs.test.ts -u` writes it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LimitName, limits } from '../../server/http/rate-limits.ts';
import { keptMs } from '../../server/outbox/due.ts';
import { settingRow } from '../../server/settings/table.ts';

const root = join(import.meta.dirname, '..', '..');

/** @returns the value of a constant or of a member of one: a number, or a product of numbers and of other constants of the file. */
function constant(file: string, name: string): number {
  const source = readFileSync(join(root, file), 'utf8');
  const [, product] = new RegExp(`\\b${name}(?: =|:) ([\\w *]+)[;,)}\\n ]`).exec(source) ?? [];
  if (product === undefined) throw new Error(`${file} has no constant ${name}.`);
  const factors = product.split('*').map((factor) => factor.trim().replaceAll('_', ''));
  return factors.reduce((value, factor) => value * (Number(factor) || constant(file, factor)), 1);
}

const number = (file: string, name: string): string => constant(file, name).toLocaleString('en');
const seconds = (file: string, name: string): string => `${constant(file, name) / 1_000} seconds`;
const hours = (file: string, name: string): number => constant(file, name) / 3_600_000;
const days = (file: string, name: string): string => `${hours(file, name) / 24} days`;
const kilobytes = (file: string, name: string): string => `${constant(file, name) / 1024} KB`;
const megabytes = (file: string, name: string): string => `${constant(file, name) / 1024 / 1024} MB`;
const megapixels = (file: string, name: string): number => constant(file, name) / 1_000_000;

const limitedRequests: Readonly<Record<LimitName, string>> = {
  orders: 'orders',
  'catalogue-changes': 'changes of the catalogue',
  desk: 'calls of the desk',
  searches: 'searches, suggestions, sorted lists and later pages',
  payments: 'pages of a payment provider, and returns from them',
  'payment-webhooks': 'webhooks of payment providers',
  uploads: 'uploads',
  'sign-ins': 'sign-ins',
  callbacks: 'returns from the identity provider',
  'sign-outs': 'sign-outs',
  sitemaps: 'sitemaps and the feed',
  cards: 'pictures for previews of links',
  logouts: 'logouts that the provider sends',
};

/** Calls with the same limits share a row. */
function requestRows(): string[] {
  const named = Object.entries(limitedRequests).map(([name, what]) => {
    const { perClient, perAccount }: { perClient: number; perAccount?: number } = limits[name as LimitName];
    return { what, numbers: `${perAccount ?? 'no limit'} | ${perClient.toLocaleString('en')}` };
  });
  return [...Map.groupBy(named, ({ numbers }) => numbers)].map(
    ([numbers, group]) => `| ${group.map(({ what }) => what).join('; ')} | ${numbers} |`,
  );
}

export function limitsPage(): string {
  const connections = 'server/http/connections.ts';
  const framework = 'server/http/framework.ts';
  const pictures = 'server/images/resize-upload.ts';
  const uploads = 'server/images/routes.ts';
  const sessions = 'server/sign-in/sessions.ts';
  const cache = 'server/http/response-cache.ts';
  const lists = 'server/catalogue/book-list.ts';
  const rows = [
    [
      'Connections of a node',
      `\`MAX_CONNECTIONS\` (${Number(settingRow('MAX_CONNECTIONS').default).toLocaleString('en')}); another one is closed`,
    ],
    [
      'Requests under way on a node',
      `${number('server/front.ts', 'maxUnderWay')}, without those that the cache answers; then 503`,
    ],
    [
      'Time for a request to arrive',
      `${seconds(connections, 'requestMs')}, for its headers ${seconds(connections, 'headersMs')}; then 408`,
    ],
    ['Headers; a body', `${kilobytes(framework, 'maxHeaderBytes')}; ${kilobytes(framework, 'maxBodyBytes')}`],
    [
      'An idle connection',
      `${seconds(connections, 'idleMs')}; ${seconds(connections, 'silenceMs')} in the middle of a request or a response`,
    ],
    [
      'An uploaded image',
      `JPEG, PNG, GIF, WebP or AVIF; ${megabytes('server/images/receive-upload.ts', 'maxUploadBytes')}; ` +
        `${number(pictures, 'maxSide')} pixels a side; ${megapixels(pictures, 'maxPixels')} megapixels, ` +
        `${megapixels(pictures, 'maxAvifPixels')} as AVIF; ${seconds('server/images/image-worker.ts', 'timeoutMs')} to convert`,
    ],
    [
      'Uploads at once',
      `${number(uploads, 'inAll')} on a node, ${number(uploads, 'ofAccount')} of an account; then 503`,
    ],
    [
      'Images without a book',
      `${number('server/images/images.ts', 'unusedImageQuota')} of an account in a day; then 429`,
    ],
    ['A CSV file on the desk', `${megabytes('server/import/routes.ts', 'maxBytes')}, one at a time`],
    ['A file of the bank', megabytes('contract/desk/limits.ts', 'maxBankFileBytes')],
    ['Exports at once', `${number('server/exports/send-export.ts', 'maxExports')} on a node; then 503`],
    ['Preview pictures to be drawn', `${number('server/images/cards.ts', 'maxWaiting')} on a node; then 503`],
    ['Items of a page of a list', number('contract/next-page.ts', 'maxPageSize')],
    ['Orders or books that one act of the desk changes', number('contract/desk/limits.ts', 'maxAtOnce')],
    [
      'Books that a search reads for a page',
      `${number(lists, 'found')} by its index, otherwise ${number(lists, 'order')} in the requested order`,
    ],
    [
      'Responses in the cache of a node',
      `${number(cache, 'max')}, or ${constant(cache, 'maxSize') / 1_000_000} MB`,
    ],
    [
      'A session',
      `${days(sessions, 'idleLimitMs')} without use (an admin’s ${hours(sessions, 'adminIdleLimitMs')} hours), ` +
        `${days(sessions, 'absoluteLimitMs')} in all`,
    ],
    ['A sign-in', `${hours('server/sign-in/attempts.ts', 'lifetimeMs') * 60} minutes`],
    [
      'Receipts for a customer',
      `${number('server/mail/receipt-limit.ts', 'receiptsInAnHour')} an hour; the others wait`,
    ],
    ['Attempts to deliver mail or a webhook', `for ${days('server/outbox/worker.ts', 'giveUpAfterMs')}`],
  ];

  return `# Limits

The numbers of this page are those of the code. Operators set two of them: \`MAX_CONNECTIONS\`, and \`RATE_LIMITS=off\`, which switches off
the first table.

## Requests a minute

A request beyond a limit gets 429, with the seconds to wait in \`Retry-After\`. A script in a loop comes near these numbers, a person does
not.

| each of these | for an account | for a client |
| --- | ---: | ---: |
${requestRows().join('\n')}

A client is an IPv4 address, or a /64 network of IPv6. The first page of the list, single books, images, the session and a customer’s own
orders have no limit. Each node counts in its own memory, so N nodes allow N times as much.

\`rate_limited_total\` counts the refusals. If it rises without a culprit, \`TRUST_PROXY\` is probably missing.

## Sizes, times and numbers

| what | at most |
| --- | --- |
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}

The [database](database.md) has time limits of its own. A node takes some 200 MB of memory, each of its two image processes up to 150 MB for
an ordinary cover and 600 MB for the largest accepted image, until it is idle.

## What the store deletes

At its start and every hour it deletes:

- sessions after ${days(sessions, 'idleLimitMs')} without use, and sign-ins that were not finished;
- images that no book has, after ${hours('server/images/images.ts', 'minUnusedMs')} hours;
- entries of the audit trail after ${days('server/activity/activity.ts', 'retentionMs')};
- mail and webhooks after ${keptMs / 86_400_000} days, except mail that was given up.

Orders stay, and customers until you [erase them](owner.md#what-erasing-does). A deleted book keeps its row and its image.
`;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { takeTurn } from './database/row-turns.ts';
import { kindOfRequest } from './front.ts';
import { stopClock } from './testing/count-turns.ts';
import { exchange } from './testing/exchange.ts';
import { shareTestStore } from './testing/test-store.ts';

const store = shareTestStore();

const send = (method: string, target: string): Promise<string> =>
  exchange(store.origin, `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

const statusOf = (response: string): number => Number(response.slice(9, 12));

describe('the queue of searches', () => {
  test.each([
    ...[
      '/books?q=emma',
      '/books?',
      '/%62ooks?q=emma',
      '/b%6Fo%6bs?q=a%20b',
      '/%62ooks',
      '/front?',
      '/suggest?q=a',
      '/suggest',
    ],
    ...['http://localhost/books?q=emma', 'HTTPS://reader@localhost/%62ooks?q=emma'],
    ...['http://localhost/books', '/sitemap%2exml', '/%73itemaps/pages.xml'],
  ])('has GET %s, which the store answers as a list', async (target) => {
    expect(statusOf(await send('GET', target))).toBe(200);
    expect(kindOfRequest({ method: 'GET', url: target })).toBe('searches');
  });

  test.each([
    ...['//books?q=emma', '/books/?q=emma', '/books;x?q=emma', '/Books?q=emma', '/x/../books?q=emma'],
    ...['/%2562ooks?q=emma', '/books%3Fq=emma', '/%62ooks%?q=emma', 'ftp://localhost/books?q=emma'],
    '/allOrder/reader%40example.com?q=/books',
  ])('has no GET %s, which is no list', async (target) => {
    expect(statusOf(await send('GET', target))).toBeGreaterThanOrEqual(400);
    expect(kindOfRequest({ method: 'GET', url: target })).toBe('reads');
  });
});

test.each(['/books#q=emma', '/books#?q=emma', '/books?q=emma#', 'http://localhost/books#q=emma'])(
  'the address %s has a fragment, and is refused',
  async (target) => {
    const response = await send('GET', target);

    expect(statusOf(response)).toBe(400);
    expect(response).toContain('"code":"MALFORMED_REQUEST"');
  },
);

test('a method that a path does not have is refused as such however the path is written', async () => {
  const response = await send('DELETE', '/%62ooks');

  expect(statusOf(response)).toBe(405);
  expect(response).toMatch(/\r\nallow: GET, HEAD\r\n/i);
});

test('the owner’s work makes room for visitors whose responses come from the cache', async () => {
  await send('GET', '/books');
  stopClock();
  vi.advanceTimersByTime(1_000);
  await send('GET', '/books');
  let begun = 0;

  const slices = Promise.all([1, 2].map(() => takeTurn().then(() => (begun += 1))));
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();

  expect(begun).toBe(1);
  vi.advanceTimersByTime(1);
  await slices;
});

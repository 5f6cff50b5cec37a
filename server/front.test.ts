import { expect, test } from 'vitest';
import { kindOfRequest } from './front.ts';
import { exchange } from './testing/exchange.ts';
import { shareTestStore } from './testing/test-store.ts';

const store = shareTestStore();

const send = (method: string, target: string): Promise<string> =>
  exchange(store.origin, `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

const statusOf = (response: string): number => Number(response.slice(9, 12));

test('the queue of searches has each GET that the store answers as a list, however it is spelled, and no other', async () => {
  const lists = [
    ...['/books?q=emma', '/books?', '/%62ooks?q=emma', '/b%6Fo%6bs?q=a%20b', '/%62ooks', '/front?'],
    ...['/suggest?q=a', '/suggest', 'http://localhost/books?q=emma', 'http://localhost/books'],
    ...['HTTPS://reader@localhost/%62ooks?q=emma', '/sitemap%2exml', '/%73itemaps/pages.xml'],
  ];
  const others = [
    ...['//books?q=emma', '/books/?q=emma', '/books;x?q=emma', '/Books?q=emma', '/x/../books?q=emma'],
    ...['/%2562ooks?q=emma', '/books%3Fq=emma', '/%62ooks%?q=emma', 'ftp://localhost/books?q=emma'],
    '/allOrder/reader%40example.com?q=/books',
  ];

  for (const url of lists) {
    expect(statusOf(await send('GET', url)), url).toBe(200);
    expect(kindOfRequest({ method: 'GET', url }), url).toBe('searches');
  }
  for (const url of others) {
    expect(statusOf(await send('GET', url)), url).toBeGreaterThanOrEqual(400);
    expect(kindOfRequest({ method: 'GET', url }), url).toBe('reads');
  }
});

test('an address with a fragment is refused', async () => {
  for (const url of ['/books#q=emma', '/books#?q=emma', '/books?q=emma#', 'http://localhost/books#q=emma']) {
    const response = await send('GET', url);
    expect(statusOf(response), url).toBe(400);
    expect(response).toContain('"code":"MALFORMED_REQUEST"');
  }
});

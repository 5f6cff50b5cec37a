import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { paths } from '../contract/paths.ts';
import { standInFrontOf } from './front.ts';
import { openRequestIds } from './http/request-ids.ts';
import { endsWithTest } from './testing/ends-with-test.ts';

test('beyond a thousand requests under way, one gets 503 at once, but for health and readiness, until some have ended', async () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => waiting.push(response));
  const shed: string[] = [];
  standInFrontOf(server, {
    responseCache: { answer: () => false },
    requestIdOf: openRequestIds([]),
    headers: { 'x-content-type-options': 'nosniff' },
    onShed: ({ code }) => shed.push(code),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  endsWithTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const call = (path: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  const answered = Array.from({ length: 1_000 }, () => call(paths.books).catch(String));
  await expect.poll(() => waiting.length).toBe(1_000);

  const refused = await call(paths.books);
  const ready = call(paths.readiness);

  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await refused.json()).toMatchObject({ code: 'BUSY' });
  expect(shed).toEqual(['BUSY']);
  await expect.poll(() => waiting.length).toBe(1_001);
  for (const response of waiting.splice(0)) response.end();
  expect((await ready).status).toBe(200);
  await Promise.all(answered);
  const again = call(paths.books);
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.end();
  expect((await again).status).toBe(200);
});

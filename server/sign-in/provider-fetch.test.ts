import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { certificate, key } from '../testing/certificate.ts';
import { openTestStore } from '../testing/test-store.ts';
import { fetchLimited } from './provider-fetch.ts';

/** Starts a server whose certificate this process trusts. @returns its host and port. */
async function startHttps(): Promise<string> {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, certificate]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  const server = createServer({ cert: certificate, key }, (_request, response) =>
    response.setHeader('connection', 'close').end('{}'),
  ).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `localhost:${(server.address() as AddressInfo).port}`;
}

test('the expiry of the provider’s certificate is measured, also after connections that resume a session', async () => {
  const expected = Date.parse(new X509Certificate(certificate).validTo) / 1000;
  const host = await startHttps();
  const store = await openTestStore();

  for (let count = 0; count < 3; count += 1) await fetchLimited(`https://${host}/keys`, {});

  const { payload } = await store.app.inject({ url: paths.metrics });
  const line = payload.split('\n').find((line) => line.includes(`{host="${host}"}`)) ?? '';
  expect(line).toMatch(/^provider_certificate_expiry_timestamp_seconds\{/);
  expect(Number(line.split(' ').at(-1))).toBe(expected);

  // The provider has moved to another host.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 60 * 60 * 1000 });
  onTestFinished(() => void vi.useRealTimers());
  expect((await store.app.inject({ url: paths.metrics })).payload).not.toContain(host);
});

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { makeFolder } from '../testing/ends-with-test.ts';
import { findProgram } from '../testing/programs.ts';
import { openTestStore } from '../testing/test-store.ts';
import { fetchLimited } from './provider-fetch.ts';

const openssl = findProgram('openssl') ?? '';

/** Starts a server whose certificate this process trusts. @returns its host and port. */
async function startHttps(days: number): Promise<string> {
  const folder = await makeFolder();
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', String(days)];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  await promisify(execFile)(openssl, ['req', '-x509', ...kind, ...name, '-out', certificate, '-keyout', key]);
  const cert = await readFile(certificate, 'utf8');
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  const server = createServer({ cert, key: await readFile(key) }, (_request, response) =>
    response.setHeader('connection', 'close').end('{}'),
  ).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `localhost:${(server.address() as AddressInfo).port}`;
}

test('the expiry of the provider’s certificate is measured, also after connections that resume a session', async ({
  skip,
}) => {
  if (openssl === '') skip('openssl is not installed');
  const day = 24 * 60 * 60;
  const expected = Date.now() / 1000 + 5 * day;
  const host = await startHttps(5);
  const store = await openTestStore();

  for (let count = 0; count < 3; count += 1) await fetchLimited(`https://${host}/keys`, {});

  const { payload } = await store.app.inject({ url: paths.metrics });
  const line = payload.split('\n').find((line) => line.includes(`{host="${host}"}`)) ?? '';
  expect(line).toMatch(/^provider_certificate_expiry_timestamp_seconds\{/);
  expect(Math.abs(Number(line.split(' ').at(-1)) - expected)).toBeLessThan(day / 2);

  // The provider has moved to another host.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 60 * 60 * 1000 });
  onTestFinished(() => void vi.useRealTimers());
  expect((await store.app.inject({ url: paths.metrics })).payload).not.toContain(host);
});

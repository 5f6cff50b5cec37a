import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { demoStoreName, type IdentityProviderOptions } from './identity-provider.ts';

test('a process that cannot take the provider over ends, and prints why', { timeout: 30_000 }, async () => {
  let issuer = '';
  const otherNode = createServer((_request, response) =>
    response.setHeader('connection', 'close').end(JSON.stringify({ issuer, [demoStoreName]: 'Reed & Sons' })),
  ).listen(0, '127.0.0.1');
  await once(otherNode, 'listening');
  const { port } = otherNode.address() as AddressInfo;
  // No provider can be made with a query in its address.
  issuer = `http://127.0.0.1:${port}?query`;
  const child = fork(join(import.meta.dirname, 'identity-process.ts'), { execArgv: [], silent: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stderr?.on('data', (text) => {
    output += text;
  });
  const options: IdentityProviderOptions = {
    host: '127.0.0.1',
    port,
    issuer,
    storeName: 'Reed & Sons',
    clientId: 'colophon',
    clientSecret: 'demo',
    redirectUri: 'http://localhost:9/auth/callback',
    storeOrigin: 'http://localhost:9',
  };
  child.send(options);

  const [report] = await once(child, 'message');
  otherNode.close();
  const [exitCode] = await once(child, 'close');

  expect(report).toEqual({ isOpen: true, isShared: true });
  expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining('Issuer') });
});

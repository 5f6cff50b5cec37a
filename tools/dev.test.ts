import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../server/testing/free-ports.ts';
import { makeScratchCopy } from './defences/scratch-copy.ts';

test('npm run dev serves the store in demo mode, and applies changes of the server and of the pages', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-dev-'));
  const checkout = join(folder, 'checkout');
  await makeScratchCopy(checkout);
  const write = (file: string, text: string) => writeFile(join(checkout, file), text);
  // Small pages, which are built in a moment.
  for (const file of ['web/main.tsx', 'web/desk.tsx']) await write(file, 'document.title = "before";\n');
  const robots = await readFile(join(checkout, 'server/pages/robots.ts'), 'utf8');
  const [port, identityPort] = [await findFreePort(), await findFreePort()];
  const origin = `http://127.0.0.1:${port}`;
  const dev = spawn(process.execPath, ['tools/dev.ts'], {
    cwd: checkout,
    env: {
      PORT: String(port),
      DEMO_IDENTITY_PORT: String(identityPort),
      LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = once(dev, 'close');
  onTestFinished(async () => {
    // A program that did not end by itself has children.
    if (dev.pid !== undefined && dev.exitCode === null) process.kill(-dev.pid, 'SIGKILL');
    await ended;
    await rm(folder, { recursive: true });
  });
  let output = '';
  for (const stream of [dev.stdout, dev.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const read = (path: string): Promise<string> =>
    fetch(new URL(path, origin)).then((response) => response.text(), String);
  const readScript = async () =>
    read((await read('/')).match(/<script type="module".* src="([^"]+)"/)?.[1] ?? '');
  const isSoon = { timeout: 30_000 };

  await expect.poll(() => output, isSoon).toContain(' is open: ');
  const identity = await fetch(`http://localhost:${identityPort}/.well-known/openid-configuration`);
  await expect.poll(readScript, isSoon).toContain('before');
  await write('server/pages/robots.ts', robots.replace('User-agent: *', 'User-agent: changed'));
  await write('web/main.tsx', 'document.title = "after";\n');

  await expect.poll(() => read('/robots.txt'), isSoon).toContain('User-agent: changed');
  await expect.poll(readScript, isSoon).toContain('after');
  dev.kill();
  await ended;
  expect(identity.status).toBe(200);
  expect(output.match(/^.* is open: /gm)).toHaveLength(2);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endsWithTest, makeFolder } from '../server/testing/ends-with-test.ts';
import { findFreePort } from '../server/testing/free-ports.ts';
import { copyTree } from './defences/scratch-copy.ts';

/** Starts a program of a checkout; the test ends all processes that the program leaves running. */
function run(checkout: string, program: string, environment: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(process.execPath, [program], {
    cwd: checkout,
    env: { NODE_COMPILE_CACHE: join(checkout, 'compile-cache'), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
      output += text;
    });
  const ended = once(child, 'close');
  endsWithTest(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  return { child, ended, output: () => output };
}

/** The script that a page loads. */
const scriptOf = (page: string): string =>
  page.match(/<script type="module".* src="\/([^"]+)"/)?.[1] ?? 'none';

test('npm start builds what is not current, and only that; npm run dev applies changes of the server and of the pages', {
  timeout: 180_000,
}, async () => {
  const checkout = join(await makeFolder(), 'checkout');
  await copyTree(checkout);
  const path = (file: string) => join(checkout, file);
  /** Replaces a file with another one, as many editors and git do. */
  const replace = async (file: string, text: string) => {
    await writeFile(path(`${file}.new`), text);
    await rename(path(`${file}.new`), path(file));
  };
  // The pages are small, so that they are built quickly.
  for (const file of ['web/main.tsx', 'web/desk.tsx']) await replace(file, 'document.title = "first";\n');

  /** Runs `npm start` up to the settings, which are wrong. @returns its output, and when the pages were built. */
  const start = async () => {
    const { ended, output } = run(checkout, 'tools/start.mjs', { PORT: 'none' });
    await ended;
    return { output: output(), builtAt: (await stat(path('dist/.vite/made.json'))).mtimeMs };
  };
  const readPage = () => readFile(path('dist/index.html'), 'utf8');
  const first = await start();
  expect(first.output).toMatch(/^The store does not start/);
  expect(await start()).toEqual(first);
  const oldScript = path(`dist/${scriptOf(await readPage())}`);

  await replace('web/main.tsx', 'document.title = "second";\n');
  const reader = await readFile(path('server/settings/reader.ts'), 'utf8');
  await replace(
    'server/settings/reader.ts',
    reader.replace('The store does not', 'The changed store does not'),
  );
  expect((await start()).output).toMatch(/^The changed store does not start/);
  expect(await readFile(path(`dist/${scriptOf(await readPage())}`), 'utf8')).toContain('second');
  // A store that was started before the change still sends this file.
  expect(await readFile(oldScript, 'utf8')).toContain('first');

  const [port, identityPort] = [await findFreePort(), await findFreePort()];
  const settings = { PORT: String(port), DEMO_IDENTITY_PORT: String(identityPort), LOG_LEVEL: 'warn' };
  const { child, ended, output } = run(checkout, 'tools/dev.ts', settings);
  const read = (address: string): Promise<string> =>
    fetch(new URL(address, `http://127.0.0.1:${port}`)).then((response) => response.text(), String);
  const isSoon = { timeout: 30_000 };
  const opened =
    /^Demo mode: .*\n.* is open: (http:\/\/localhost:\d+) \(desk: \1\/desk, database: \S+\.db\)$/m;
  await expect.poll(output, isSoon).toMatch(opened);
  const robots = await readFile(path('server/pages/crawler-routes.ts'), 'utf8');
  for (const change of ['third', 'fourth']) {
    await replace('server/pages/crawler-routes.ts', robots.replace('User-agent: *', `User-agent: ${change}`));
    await replace('web/main.tsx', `document.title = "${change}";\n`);
    await expect.poll(() => read('/robots.txt'), isSoon).toContain(`User-agent: ${change}`);
    const readScript = async () => read(scriptOf(await read('/')));
    await expect.poll(readScript, isSoon).toContain(change);
    // The script reloads an open page.
    expect(await readScript()).toContain('location.reload');
  }
  child.kill();
  await ended;
  expect(output().match(/^.* is open: /gm)).toHaveLength(3);
  expect(output()).not.toMatch(/^\{/m);
});

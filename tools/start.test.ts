/** `npm start` and `npm run dev`, in a copy of the checkout. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../server/testing/free-ports.ts';
import { copyTree } from './defences/scratch-copy.ts';

let folder: string;
let checkout: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-start-'));
  checkout = join(folder, 'checkout');
  await copyTree(checkout);
  // Small pages, which are built in a moment.
  for (const file of ['web/main.tsx', 'web/desk.tsx']) await write(file, 'document.title = "first";\n');
  return () => rm(folder, { recursive: true });
});

const write = (file: string, text: string) => writeFile(join(checkout, file), text);

/** Puts another file in the place of one, as many editors and git do. */
async function replace(file: string, text: string): Promise<void> {
  await write(`${file}.new`, text);
  await rename(join(checkout, `${file}.new`), join(checkout, file));
}

/** Starts a program of the checkout; what it leaves running ends with the test. */
function run(program: string, environment: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(process.execPath, [program], {
    cwd: checkout,
    env: { NODE_COMPILE_CACHE: join(folder, 'compile-cache'), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      output += text;
    });
  }
  const ended = once(child, 'close');
  onTestFinished(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  return { child, ended, output: () => output };
}

/** The script that a page loads. */
const scriptOf = (page: string): string =>
  page.match(/<script type="module".* src="\/([^"]+)"/)?.[1] ?? 'none';

test('npm start of a user who cannot write to the checkout is one sentence', async () => {
  const dist = join(checkout, 'dist');
  await mkdir(dist, { recursive: true });
  await chmod(dist, 0o555);
  // Root may write everywhere, with this capability.
  const withoutPower = ['setpriv', '--bounding-set=-dac_override'];
  const words = [...(process.getuid?.() === 0 ? withoutPower : []), process.execPath, 'tools/start.mjs'];
  const [program = '', ...args] = words;

  const { status, stdout, stderr } = spawnSync(program, args, { cwd: checkout, encoding: 'utf8' });
  await chmod(dist, 0o755);

  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: `The pages must be built, and this user cannot write to ${dist}.\n`,
  });
});

test('npm start builds the pages and the server when they are not current, and only then', {
  timeout: 60_000,
}, async () => {
  const dist = (file: string) => join(checkout, 'dist', file);
  /** Runs `npm start` as far as the settings, which are wrong. @returns what it says, and when the pages were built. */
  const start = async () => {
    const { ended, output } = run('tools/start.mjs', { PORT: 'none' });
    await ended;
    return { output: output(), builtAt: (await stat(dist('.vite/build.json'))).mtimeMs };
  };
  const readPage = () => readFile(dist('index.html'), 'utf8');
  const readScript = async () => readFile(dist(scriptOf(await readPage())), 'utf8');

  const first = await start();
  const script = scriptOf(await readPage());
  expect(first.output).toMatch(/^The store does not start/);
  expect([await readScript(), await start()]).toEqual([expect.stringContaining('first'), first]);

  await write('web/main.tsx', 'document.title = "second";\n');
  const reader = 'server/settings/reader.ts';
  const text = await readFile(join(checkout, reader), 'utf8');
  await replace(reader, text.replace('The store does not start', 'The changed store does not start'));
  const endedPid = spawnSync(process.execPath, ['--version']).pid;
  for (const pid of [endedPid, process.pid])
    await mkdir(dist(`.vite/build-${pid}/assets`), { recursive: true });
  const changed = await Promise.all([start(), start()]);
  for (const { output } of changed) expect(output).toMatch(/^The changed store does not start/);
  expect(await readScript()).toContain('second');
  // A store that was started before the change still sends it.
  expect(await readFile(dist(script), 'utf8')).toContain('first');
  // The folder of an interrupted build is removed, and that of a process that runs is not.
  const folders = (await readdir(dist('.vite'))).filter((name) => name.startsWith('build-'));
  expect(folders).toEqual([`build-${process.pid}`]);

  await writeFile(dist('desk.html'), '<!doctype');
  await start();
  expect(await readFile(dist('desk.html'), 'utf8')).toContain('</html>');
});

test('npm run dev serves the store in demo mode, and applies changes of the server and of the pages', {
  timeout: 120_000,
}, async () => {
  const robots = await readFile(join(checkout, 'server/pages/robots.ts'), 'utf8');
  const [port, identityPort] = [await findFreePort(), await findFreePort()];
  const { child, ended, output } = run('tools/dev.ts', {
    PORT: String(port),
    DEMO_IDENTITY_PORT: String(identityPort),
    LOG_LEVEL: 'warn',
  });
  const read = (path: string): Promise<string> =>
    fetch(new URL(path, `http://127.0.0.1:${port}`)).then((response) => response.text(), String);
  const readScript = async () => read(scriptOf(await read('/')));
  await write('web/main.tsx', 'document.title = "first";\n');
  const isSoon = { timeout: 30_000 };

  const opened =
    /^Demo mode: .*\n.* is open: (http:\/\/localhost:\d+) \(desk: \1\/desk, database: \S+\.db\)$/m;
  await expect.poll(output, isSoon).toMatch(opened);
  const identity = await fetch(`http://localhost:${identityPort}/.well-known/openid-configuration`);
  await expect.poll(readScript, isSoon).toContain('first');
  await replace('server/pages/robots.ts', robots.replace('User-agent: *', 'User-agent: changed'));
  await write('web/main.tsx', 'document.title = "second";\n');

  await expect.poll(() => read('/robots.txt'), isSoon).toContain('User-agent: changed');
  await replace('server/pages/robots.ts', robots.replace('User-agent: *', 'User-agent: again'));
  await expect.poll(() => read('/robots.txt'), isSoon).toContain('User-agent: again');
  await expect.poll(readScript, isSoon).toContain('second');
  // It loads an open page again.
  expect(await readScript()).toContain('location.reload');
  await expect.poll(output, isSoon).toMatch(/(?:^[\d:]{8} pages rebuilt \(\d+\.\d s\)\n[\s\S]*){2}/m);
  child.kill();
  await ended;
  expect(identity.status).toBe(200);
  expect(output().match(/^.* is open: /gm)).toHaveLength(3);
  expect(output()).not.toMatch(/^\{/m);
});

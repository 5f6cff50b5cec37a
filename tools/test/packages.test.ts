/** package-lock.json is the inventory of packages, which `npm sbom` prints. */

import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { permissiveLicences } from '../../server/testing/server-packages.ts';

type Locked = { version: string; integrity: string; resolved?: string; license?: string; dev?: boolean };

const root = join(import.meta.dirname, '..', '..');
const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const lockedIn = (file: string): [string, Locked & { os?: string; cpu?: string }][] =>
  Object.entries<Locked>(readJson(file).packages).filter(([name]) => name !== '');
const { dependencies, optionalDependencies } = readJson('package.json');

test.each(['package-lock.json', 'lab/package-lock.json'])(
  '%s has the hash of each package, and no address of a registry but npm’s own',
  (file) => {
    const locked = lockedIn(file);

    expect(locked.length).toBeGreaterThan(100);
    for (const [name, { integrity, resolved = 'https://registry.npmjs.org/' }] of locked) {
      expect(integrity, name).toMatch(/^sha512-[\w+/]{86}==$/);
      expect(resolved, name).toMatch(/^https:\/\/registry\.npmjs\.org\//);
    }
  },
);

test('every package that runs has a licence that the store may be sold and run with', () => {
  const packages = lockedIn('package-lock.json').filter(([, { dev = false }]) => !dev);
  // The LGPL allows what sharp loads, libvips, to programs of any licence: it is a shared library that can be replaced.
  const isAllowed = (name: string, licence: string) =>
    permissiveLicences.includes(licence) ||
    // Python's licence is permissive too. Only the command of markdown-it loads argparse, and the bundle lacks both.
    (licence === 'PSF-2.0' && name === 'node_modules/argparse') ||
    (licence === 'LGPL-3.0-or-later' && name.startsWith('node_modules/@img/sharp-'));
  const refused = packages.filter(
    ([name, { license = 'none' }]) => !license.split(' AND ').every((one) => isAllowed(name, one)),
  );

  const names = packages.map(([name]) => name);
  expect(names).toEqual(
    expect.arrayContaining(Object.keys(dependencies).map((name) => `node_modules/${name}`)),
  );
  expect(refused.map(([name, { license }]) => `${name}: ${license}`)).toEqual([]);
});

test('npm brings each Node on its platform alone, none older than 24, and the one whose sum was compared with the Node project’s', () => {
  const binaries: Record<string, { version: string; sha256: string }> = readJson('tools/node-binaries.json');
  const locked = new Map(lockedIn('package-lock.json'));

  const versions = Object.entries(binaries).map(([name, { version }]) => [name, version]);
  expect(Object.fromEntries(versions)).toEqual(optionalDependencies);
  for (const [name, { version, sha256 }] of Object.entries(binaries)) {
    const { os, cpu } = locked.get(`node_modules/${name}`) ?? {};
    expect(name).toMatch(new RegExp(`^node-(bin-)?${`${os}-${cpu}`.replace('win32', 'win')}$`));
    expect(Number(version.split('.')[0]), name).toBeGreaterThanOrEqual(24);
    const file = join(root, 'node_modules', name, 'bin', name.includes('-win-') ? 'node.exe' : 'node');
    if (existsSync(file)) expect(hash('sha256', readFileSync(file)), name).toBe(sha256);
  }
});

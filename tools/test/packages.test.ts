/**
 * The packages that run on any platform, as `npm sbom` lists them from package-lock.json. With `--omit=dev` npm 10 and 11 would leave out
 * every package that a development dependency needs too, such as `pg`.
 */

import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { permissiveLicences } from '../../server/testing/server-packages.ts';

const root = join(import.meta.dirname, '..', '..');

/** The parts of CycloneDX 1.5 that npm writes. */
type Component = {
  'bom-ref': string;
  name: string;
  version: string;
  properties: { name: string; value: string }[];
  licenses?: ({ license: { id?: string; name?: string } } | { expression: string })[];
};
type Sbom = { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] };

/** `npm_execpath`: the npm that started this run, of any version; its script runs on this Node. */
async function readSbom(): Promise<Sbom> {
  const npm = process.env['npm_execpath'];
  const [program, ...script] = npm ? [process.execPath, npm] : ['npm'];
  // With NODE_ENV=production npm omits development packages.
  const command = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--include=dev', '--offline'];
  const { stdout } = await promisify(execFile)(program, [...script, ...command], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

test.each(['package-lock.json', 'lab/package-lock.json'])(
  '%s has the hash of each package, and no address of a registry but npm’s own',
  (file) => {
    const lock: { packages: Record<string, { integrity?: string; resolved?: string }> } = JSON.parse(
      readFileSync(join(root, file), 'utf8'),
    );
    const { '': _, ...locked } = lock.packages;

    expect(Object.keys(locked).length).toBeGreaterThan(100);
    for (const [name, { integrity, resolved }] of Object.entries(locked)) {
      expect(integrity, name).toMatch(/^sha512-[\w+/]{86}==$/);
      expect(resolved ?? 'https://registry.npmjs.org/', name).toMatch(/^https:\/\/registry\.npmjs\.org\//);
    }
  },
);

let sbom: Sbom;
/** Those that run. */
let packages: Component[];
beforeAll(async () => {
  sbom = await readSbom();
  packages = sbom.components.filter(
    ({ properties }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
  );
});

test('npm sbom lists every runtime dependency of package.json in its version, and marks those for development', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const listed = packages.map(({ name, version }) => `${name} ${version}`);
  const direct = Object.entries({ ...dependencies, ...optionalDependencies }).map((pair) => pair.join(' '));

  expect(direct.length).toBeGreaterThan(5);
  expect(direct.filter((dependency) => !listed.includes(dependency))).toEqual([]);
  const isNeededByAnother = ({ 'bom-ref': needed }: Component): boolean =>
    packages.some(({ 'bom-ref': other }) =>
      sbom.dependencies.some(({ ref, dependsOn }) => ref === other && dependsOn.includes(needed)),
    );
  expect(packages.filter((one) => one.name in devDependencies && !isNeededByAnother(one))).toEqual([]);
});

/**
 * The binaries of libvips and what is linked with it, which `sharp` loads. The LGPL allows this to programs of any licence as
 * long as the library can be replaced: it is a shared library in a package of its own.
 */
const isLibvips = (name: string): boolean => /^@img\/sharp-/.test(name);

/** @returns the licences that a component has at the same time; undefined for a form that needs a person to read it. */
function licencesOf({ licenses = [] }: Component): string[] | undefined {
  const [first, ...more] = licenses;
  if (!first || more.length > 0) return undefined;
  if (!('expression' in first)) return first.license.id === undefined ? undefined : [first.license.id];
  return /^[\w.-]+( AND [\w.-]+)*$/.test(first.expression) ? first.expression.split(' AND ') : undefined;
}

test('every package that runs has a licence that the store may be sold and run with', () => {
  const isAllowed = (component: Component): boolean =>
    licencesOf(component)?.every(
      (licence) =>
        permissiveLicences.includes(licence) ||
        (licence === 'LGPL-3.0-or-later' && isLibvips(component.name)),
    ) ?? false;

  const refused = packages.filter((component) => !isAllowed(component));

  expect(refused.map(({ name, licenses }) => `${name}: ${JSON.stringify(licenses)}`)).toEqual([]);
});

test('the Node that npm brings is the one whose sum was compared with the Node project’s', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const text = readFileSync(join(root, 'tools', 'node-binaries.json'), 'utf8');
  const binaries: Record<string, { version: string; sha256: string }> = JSON.parse(text);

  const versions = Object.entries(binaries).map(([name, { version }]) => [name, version]);
  expect(Object.fromEntries(versions)).toEqual(optionalDependencies);
  for (const [name, { sha256 }] of Object.entries(binaries)) {
    const file = join(root, 'node_modules', name, 'bin', name.includes('-win-') ? 'node.exe' : 'node');
    if (existsSync(file)) expect(hash('sha256', readFileSync(file)), name).toBe(sha256);
  }
});

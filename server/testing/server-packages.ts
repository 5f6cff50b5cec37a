/** The packages that a server installs, for tests of what is deployed. */

import { cp, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The packages that `npm ci --omit=dev` installs, without those that bring a Node. */
export async function copyServerPackages(target: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const development = Object.entries<{ dev?: true }>(packages).filter(([, { dev }]) => dev === true);
  const left = new Set(development.map(([path]) => join(root, path)));
  const isLeft = /^node_modules.(node-|\.)/;
  await cp(join(root, 'node_modules'), target, {
    recursive: true,
    filter: (path) => !left.has(path) && !isLeft.test(relative(root, path)),
  });
}

/** They allow any use, and ask at most for the notice that each package has in its folder. */
export const permissiveLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
];

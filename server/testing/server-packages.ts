/** The packages that a server installs, for tests of what is deployed. */

import { existsSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** Installs what build/package.json names, as `npm ci` does with package-lock.json, without the packages that bring a Node. */
export async function copyServerPackages(target: string): Promise<void> {
  const { packages } = readJson('package-lock.json');
  const names = new Set(Object.keys(readJson('build/package.json').dependencies));
  // A `for` loop over a Set also visits items that are added during the loop.
  for (const name of names) {
    const { dependencies, optionalDependencies } = packages[`node_modules/${name}`] ?? {};
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) names.add(needed);
    const folder = join(root, 'node_modules', name);
    if (existsSync(folder)) await cp(folder, join(target, name), { recursive: true });
  }
}

/** These licences allow any use, and ask at most for the notice that each package has in its folder. */
export const permissiveLicences: readonly string[] = [
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'],
  'Unlicense',
];

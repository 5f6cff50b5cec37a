/** The build of the pages: `npm run build`, for the tools that need the pages first. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export const arePagesBuilt = (): boolean => existsSync(join(root, 'dist', 'index.html'));

/** Arguments of Node that build the pages; more arguments of Vite may follow. Run them in the project's folder. */
export const buildArguments = ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn'];

/** @returns whether the pages were built. Vite reports errors on the terminal. */
export async function buildPages(): Promise<boolean> {
  const child = spawn(process.execPath, buildArguments, { cwd: root, stdio: 'inherit' });
  const [exitCode] = await once(child, 'exit');
  return exitCode === 0;
}

/** Installing Debian's packages, where this process may. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

export const canInstallPackages = (): boolean =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');

/** @returns whether apt-get installed them and what they depend on. Its errors go to standard error. */
export async function installPackages(
  packages: readonly string[],
  { withRecommended = false } = {},
): Promise<boolean> {
  const recommends = withRecommended ? '--install-recommends' : '--no-install-recommends';
  return (await aptGet('update')) && (await aptGet('install', '--yes', recommends, ...packages));
}

async function aptGet(...args: readonly string[]): Promise<boolean> {
  const child = spawn('apt-get', ['-q', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [exitCode] = await once(child, 'exit');
  return exitCode === 0;
}

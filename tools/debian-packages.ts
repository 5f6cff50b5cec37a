import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { findProgram } from '../server/testing/programs.ts';

export const canInstallPackages = (): boolean =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');

export const installPackages = async (packages: readonly string[]): Promise<boolean> =>
  (await aptGet('update')) && (await aptGet('install', '--yes', '--no-install-recommends', ...packages));

async function aptGet(...args: readonly string[]): Promise<boolean> {
  const child = spawn('apt-get', ['-q', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [exitCode] = await once(child, 'exit');
  return exitCode === 0;
}

/** Debian's packages start their services as they are installed, unless this file forbids it (invoke-rc.d(8)). */
export async function withoutStartingServices(install: () => Promise<unknown>): Promise<void> {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) {
    await install();
    return;
  }
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const restore = () => rmSync(policy, { force: true });
  process.on('exit', restore);
  try {
    await install();
  } finally {
    restore();
    process.off('exit', restore);
  }
}

/** Installs packages if this process may. @param packages by the program's name; several have spaces between them. */
export async function installPrograms(packages: Readonly<Record<string, string>>): Promise<void> {
  const missing = Object.entries(packages).flatMap(([program, names]) =>
    findProgram(program) ? [] : names.split(' '),
  );
  if (missing.length === 0 || !canInstallPackages()) return;
  console.log(`apt-get installs what tests need: ${missing.join(', ')}.`);
  await withoutStartingServices(() => installPackages(missing));
}

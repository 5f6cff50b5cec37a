/** A disk of a few megabytes, which tests can fill without harm. */

import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endsWithTest, makeFolder } from './ends-with-test.ts';

/** Only root may mount a file system. */
export const canMountDisk = process.platform === 'linux' && process.getuid?.() === 0;

/** Mounts an empty disk, and unmounts it after the test. @returns its folder. */
export async function mountSmallDisk(megabytes: number): Promise<string> {
  const folder = await makeFolder();
  await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  endsWithTest(() => promisify(execFile)('umount', [folder]));
  return folder;
}

/** Fills a disk of up to 16 MB. @returns a function that frees the space. */
export async function fillDisk(folder: string): Promise<() => Promise<void>> {
  const filler = join(folder, 'filler');
  await writeFile(filler, new Uint8Array(16 * 1024 * 1024)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error;
  });
  return () => rm(filler);
}

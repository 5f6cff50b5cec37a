import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../../server/start-error.ts';

/**
 * Writes text in parts to a file that only this user can read, or to standard output. A file is written whole or not at all:
 * one that ends in the middle would look complete.
 * @param file its path, or `-` for standard output.
 * @throws {StartError} when the file cannot be written.
 */
export async function writeParts(file: string, parts: AsyncIterable<string>): Promise<void> {
  if (file === '-') {
    await pipeline(parts, process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
      // Whoever reads it, such as `head`, has enough.
      if (error.code !== 'EPIPE') throw error;
    });
    return;
  }
  const unfinished = `${file}.part`;
  try {
    await pipeline(parts, createWriteStream(unfinished, { mode: 0o600 }));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new StartError(`${file} cannot be written (${code}).`);
  }
}

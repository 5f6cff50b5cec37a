import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../../server/start-error.ts';
import { flag } from '../options.ts';

/** For a command that writes a file. */
export const force = flag('replace the file if there is one');

/** Call it before the export begins: the audit trail must not have one that was never written. @throws {StartError} */
export function checkTarget(file: string, isForced: boolean): void {
  if (file !== '-' && !isForced && existsSync(file)) {
    throw new StartError(`${file} exists already; --force replaces it.`);
  }
}

/**
 * Writes text in parts to a file, or to standard output. A file is written whole or not at all: one that ends in the middle
 * would look complete.
 * @param file its path, or `-` for standard output.
 * @param mode by default only this user can read it.
 * @throws {StartError} when the file cannot be written.
 */
export async function writeParts(file: string, parts: AsyncIterable<string>, mode = 0o600): Promise<void> {
  if (file === '-') {
    await pipeline(parts, process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
      // Whoever reads it, such as `head`, has enough.
      if (error.code !== 'EPIPE') throw error;
    });
    return;
  }
  const unfinished = `${file}.part`;
  try {
    await pipeline(parts, createWriteStream(unfinished, { mode }));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new StartError(`${file} cannot be written (${code}).`);
  }
}

/** Says what was exported, on standard error. @param what such as `3 orders`. */
export function reportExport(what: string, file: string): void {
  process.stderr.write(`Exported ${what}${file === '-' ? '' : ` to ${file}`}.\n`);
}

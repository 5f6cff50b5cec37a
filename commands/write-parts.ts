import { pipeline } from 'node:stream/promises';
import { writeWhole } from '../server/database/whole-file.ts';
import { flag } from '../tools/options.ts';
import type { Io } from './command.ts';

/** The option of a command that writes a file. */
export const force = flag('replace the file if there is one');

/**
 * Writes text in parts to a file, whole or not at all, that only this user can read; or to standard output.
 * @param start begins the export, once the file can be written: the audit trail must not have one that was never written.
 * @throws {StartError} when the file cannot be written.
 */
export async function writeParts(
  { stdout }: Io,
  file: string,
  { isForced }: { isForced: boolean },
  start: () => Parts | Promise<Parts>,
): Promise<void> {
  if (file !== '-') {
    await writeWhole(file, { isForced }, async (_part, handle) => handle.writeFile(await start()));
    return;
  }
  await pipeline(await start(), stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    // The program that reads it, such as `head`, has enough.
    if (error.code !== 'EPIPE') throw error;
  });
}
type Parts = AsyncIterable<string> | Iterable<string>;

/** @param what such as `3 orders`. */
export function reportExport({ stderr }: Io, what: string, file: string): void {
  stderr.write(`Exported ${what}${file === '-' ? '' : ` to ${file}`}.\n`);
}

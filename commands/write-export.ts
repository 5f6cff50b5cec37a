import { pipeline } from 'node:stream/promises';
import { writeWhole } from '../server/database/whole-file.ts';
import type { Io } from './command.ts';

/**
 * Writes text in parts to a file, whole or not at all, that only this user can read; or to standard output. Then it says so.
 * @param start begins the export, once the file can be written: the audit trail must not have one that was never written.
 * @param count @returns such as `3 orders`.
 * @throws {StartError} when the file cannot be written.
 */
export async function writeExport(
  { stdout, stderr }: Io,
  file: unknown,
  isForced: boolean,
  start: () => Parts | Promise<Parts>,
  count?: () => string,
): Promise<undefined> {
  const isFile = typeof file === 'string' && file !== '-';
  if (isFile) {
    await writeWhole(file, { isForced }, async (_part, handle) => handle.writeFile(await start()));
  } else {
    await pipeline(await start(), stdout, { end: false });
  }
  if (count) stderr.write(`Exported ${count()}${isFile ? ` to ${file}` : ''}.\n`);
}
type Parts = AsyncIterable<string> | Iterable<string>;

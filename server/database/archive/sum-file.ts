/** The SHA-256 of a backup in a file beside it, as `sha256sum` writes and checks it. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';

export const sumFileOf = (file: string): string => `${file}.sha256`;

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @param name the path that the file will have. @returns the line of its sum. */
export async function sumLine(file: string, name: string): Promise<string> {
  const escaped = basename(name).replace(
    /[\\\n\r]/g,
    (sign) => ({ '\n': '\\n', '\r': '\\r' })[sign] ?? '\\\\',
  );
  return `${escaped === basename(name) ? '' : '\\'}${await hashFile(file)}  ${escaped}\n`;
}

/** A file has one of the sums: version 0.1.0 wrote two while it replaced a file. It may have another name than when they were made. */
export async function hasSum(file: string, sums: string): Promise<boolean> {
  const hashes = [...sums.matchAll(/^\\?([\da-f]{64}) [ *]/gim)].map(([, hash = '']) => hash.toLowerCase());
  return hashes.includes(await hashFile(file));
}

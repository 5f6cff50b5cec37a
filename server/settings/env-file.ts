import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { StartError } from '../start-error.ts';

/**
 * Loads `.env`, where there is one, into the environment, whose values go first.
 * @returns its names: each of them is meant for the store.
 */
export function loadEnvFile(env: Record<string, string | undefined> = process.env): readonly string[] {
  if (!existsSync('.env')) return [];
  const values = readEnv(readFile());
  for (const [name, value] of Object.entries(values)) env[name] ??= value;
  return Object.keys(values);
}

function readFile(): Buffer {
  try {
    return readFileSync('.env');
  } catch (error) {
    throw new StartError(`.env cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Stands for a # within a line, or for the start of one. */
const mark = '\uE000';

/** @throws StartError if a value would be read as another one than the file shows. */
export function readEnv(bytes: Uint8Array): Record<string, string> {
  const text = decode(bytes);
  const values = parseEnv(text);
  // Node ends a value at a #, systemd and Docker do not: half a secret would be noticed at the first sign-in.
  const marked = parseEnv(text.replace(/^(?![^\S\n]*#).*$/gm, (line) => line.replaceAll('#', mark)));
  const cut = Object.keys(values).find((name) => marked[name]?.replaceAll(mark, '#') !== values[name]);
  if (cut !== undefined) {
    throw new StartError(
      `${cut}: its value in .env would end before a #. Put the value in quotes, or the comment on a line of its own.`,
    );
  }
  // Node leaves such a line out, unless it is within a value in quotes.
  const lines = text.split(/\r?\n/);
  const isLeftOut = (line: string, index: number) =>
    /^\s*[^\s#=][^=]*$/.test(line) &&
    !Object.values(parseEnv(lines.with(index, mark + line).join('\n'))).some((value) =>
      value?.includes(mark),
    );
  const leftOut = lines.findIndex(isLeftOut);
  if (leftOut !== -1) throw new StartError(`.env: line ${leftOut + 1} has no =. Write NAME=value there.`);
  return values as Record<string, string>;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new StartError('.env is not in UTF-8, perhaps in Windows-1252. Save it as UTF-8.');
  }
}

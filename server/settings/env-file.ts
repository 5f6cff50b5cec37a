import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { StartError } from '../start-error.ts';

/**
 * Loads `.env`, if there is one, into the environment; existing values of the environment win. @returns the names in the file: each is
 * meant for the store.
 */
export function loadEnvFile(env: Record<string, string | undefined> = process.env): readonly string[] {
  if (!existsSync('.env')) return [];
  const values = readEnv(readFileSync('.env'));
  for (const [name, value] of Object.entries(values)) env[name] ??= value;
  return Object.keys(values);
}

/** The value of a line: without quotes and #, or in quotes, which a comment may follow. */
const wholeValue = /^(?:[^#'"`][^#]*|(['"`]).*\1\s*(?:#.*)?)?$/;

/** @throws StartError if Node would read a value differently from how the file shows it, or would skip a line. */
export function readEnv(bytes: Uint8Array): Record<string, string> {
  const text = new TextDecoder().decode(bytes);
  if (text.includes('\ufffd')) {
    throw new StartError('.env is not in UTF-8, perhaps in Windows-1252. Save it as UTF-8.');
  }
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name, value = ''] = /^\s*(?:export\s+)?([^\s=#]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) throw new StartError(`.env: line ${index + 1} has no =. Write NAME=value there.`);
    // Node ends a value at a #, systemd and Docker do not: half a secret would be noticed at the first sign-in.
    if (wholeValue.test(value)) continue;
    throw new StartError(
      `${name}: its value in .env would end before a #. Put the value in quotes, or the comment on a line of its own.`,
    );
  }
  return parseEnv(text) as Record<string, string>;
}

import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { StartError } from '../start-error.ts';

/**
 * Loads `.env`, where there is one, into the environment, whose values go first.
 * @returns its names: each of them is meant for the store.
 */
export function loadEnvFile(env: Record<string, string | undefined> = process.env): readonly string[] {
  if (!existsSync('.env')) return [];
  try {
    const values = parseEnv(readFileSync('.env', 'utf8').replace(/^\uFEFF/, ''));
    for (const [name, value] of Object.entries(values)) env[name] ??= value;
    return Object.keys(values);
  } catch (error) {
    throw new StartError(`.env cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

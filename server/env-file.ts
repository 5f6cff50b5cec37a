import { existsSync, readFileSync } from 'node:fs';
import { loadEnvFile as load } from 'node:process';
import { parseEnv } from 'node:util';
import { StartError } from './start-error.ts';

/** The names of `.env`, once it was loaded: each of them is meant for the store. */
export let envFileNames: readonly string[] = [];

/** Loads `.env`, where there is one, into the environment, whose values go first. */
export function loadEnvFile(): void {
  if (!existsSync('.env')) return;
  try {
    envFileNames = Object.keys(parseEnv(readFileSync('.env', 'utf8')));
    load('.env');
  } catch (error) {
    throw new StartError(`.env cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

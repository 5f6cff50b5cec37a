/** Reads the settings of the table from the environment, and collects what is wrong with them. */

import { readFileSync, statSync } from 'node:fs';
import { tidyText } from '../../contract/pasted-text.ts';
import { StartError } from '../start-error.ts';
import { checkNames, type NameFault } from './names.ts';
import {
  type Setting,
  type SettingName,
  type SettingValue,
  secretNames,
  settingNames,
  settingsTable,
} from './table.ts';

/** Names and values, such as `process.env`. An empty or blank value counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The wrong settings of one start. The message has a line for each: `NAME: what is wrong`. */
export class SettingsError extends StartError {
  readonly faults: readonly string[];

  constructor(faults: readonly NameFault[]) {
    const lines = faults.map(({ name, message }) => `${name}: ${message}`);
    super(`The store does not start with these settings:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.faults = lines;
  }
}

const knownNames = [...settingNames, ...secretNames.map((name) => `${name}_FILE`)];

/** @returns a sentence for each name that looks like one of a setting, and may be another program's. */
export const nameWarnings = (env: Environment): string[] =>
  checkNames(Object.keys(env), [], knownNames).warnings.map(({ name, message }) => `${name} ${message}`);

export class Reader {
  readonly #env: Environment;
  readonly #texts = new Map<SettingName, Given>();
  readonly #values = new Map<SettingName, unknown>();
  readonly faults: NameFault[];

  /** @param fileNames the names of `.env`, which must all be known. */
  constructor(env: Environment, fileNames: readonly string[]) {
    this.#env = env;
    this.faults = checkNames(Object.keys(env), fileNames, knownNames).faults;
  }

  /** @returns what the setting says, or its default. Its faults are reported once. */
  value<Name extends SettingName>(name: Name): SettingValue<Name> {
    if (!this.#values.has(name)) this.#values.set(name, this.#parse(name));
    // The row's parser made it.
    return this.#values.get(name) as SettingValue<Name>;
  }

  /** @returns the text of a setting, without its default. */
  text(name: SettingName): string | undefined {
    return this.#given(name).value;
  }

  /** Reports what is wrong with a setting beside others. */
  report(name: SettingName, message: string): void {
    // That the setting is missing follows from the fault of its file.
    if (!this.#given(name).fault) this.faults.push({ name, message });
  }

  #parse(name: SettingName): unknown {
    const row: Setting = settingsTable[name];
    const text = this.text(name);
    const parsed = text === undefined ? undefined : row.parse(text, (fault) => this.report(name, fault));
    return parsed ?? (row.default === undefined ? undefined : row.parse(row.default, () => {}));
  }

  #given(name: SettingName): Given {
    const known = this.#texts.get(name);
    if (known) return known;
    const value = tidyText(this.#env[name] ?? '') || undefined;
    const file = secretNames.includes(name) ? tidyText(this.#env[`${name}_FILE`] ?? '') : '';
    const given = file ? readSecret(name, value, file) : { value };
    if (given.fault) this.faults.push({ name: `${name}_FILE`, message: given.fault });
    this.#texts.set(name, given);
    return given;
  }
}

type Given = { value?: string | undefined; fault?: string };

const maxSecretBytes = 64 * 1024;

/** The fault does not have the path of the file, which may be the secret itself in the wrong setting. */
function readSecret(name: SettingName, value: string | undefined, file: string): Given {
  if (value !== undefined) return { fault: `is set beside ${name}: unset one of them` };
  try {
    const stats = statSync(file);
    // A pipe would keep the start waiting, and a device may have no end.
    if (!stats.isFile()) return { fault: 'names what is no file' };
    if (stats.size > maxSecretBytes) return { fault: 'names a file of more than 64 KB' };
    const secret = readFileSync(file, 'utf8').replace(/^\uFEFF|[\r\n]+$/g, '');
    if (secret.trim() === '') return { fault: 'names a file that is empty' };
    if (/\p{Cc}/u.test(secret)) return { fault: 'names a file with control characters, or several lines' };
    return { value: secret };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { fault: `names a file that ${code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`}` };
  }
}

import { readFileSync } from 'node:fs';
import { tidyText } from '../../contract/pasted-text.ts';
import { StartError } from '../start-error.ts';
import { type NameFault, nameFaults } from './names.ts';
import { type SettingName, type SettingValue, secretNames, settingNames, settingRow } from './table.ts';

/** The environment's names and values, such as `process.env`. An empty or blank value counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

export class SettingsError extends StartError {
  readonly faults: readonly string[];

  constructor(faults: readonly NameFault[]) {
    const lines = faults.map(({ name, message }) => `${name}: ${message}`);
    super(`The store does not start with these settings:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.faults = lines;
  }
}

const knownNames = [...settingNames, ...secretNames.map((name) => `${name}_FILE`)];

export class Reader {
  readonly #env: Environment;
  /** The faults by their text, so that a setting that is read several times is reported once. */
  readonly #faults = new Map<string, NameFault>();

  constructor(env: Environment, fileNames: readonly string[]) {
    this.#env = env;
    for (const fault of nameFaults(Object.keys(env), fileNames, knownNames)) this.#add(fault);
  }

  get faults(): NameFault[] {
    return [...this.#faults.values()];
  }

  value<Name extends SettingName>(name: Name): SettingValue<Name> {
    const { parse, default: usual } = settingRow(name);
    const read = (text: string | undefined) =>
      text === undefined ? undefined : parse(text, (message) => this.report(name, message));
    // The cast is right: the parser belongs to this setting.
    return (read(this.text(name)) ?? read(usual)) as SettingValue<Name>;
  }

  text(name: SettingName): string | undefined {
    const { value, fault } = this.#given(name);
    if (fault) this.#add({ name: `${name}_FILE`, message: fault });
    return value;
  }

  report(name: SettingName, message: string): void {
    // If the setting's file could not be read, that fault is already reported.
    if (!this.#given(name).fault) this.#add({ name, message });
  }

  #add(fault: NameFault): void {
    this.#faults.set(`${fault.name}: ${fault.message}`, fault);
  }

  #given(name: SettingName): Given {
    const value = tidyText(this.#env[name] ?? '') || undefined;
    const file = secretNames.includes(name) ? tidyText(this.#env[`${name}_FILE`] ?? '') : '';
    if (file === '') return { value };
    return value === undefined ? readSecret(file) : { fault: `is set beside ${name}: unset one of them` };
  }
}

type Given = { value?: string | undefined; fault?: string };

/** The message omits the path of the file: a secret itself may stand there by mistake. */
function readSecret(file: string): Given {
  try {
    const secret = readFileSync(file, 'utf8').replace(/^\uFEFF|[\r\n]+$/g, '');
    if (secret.trim() === '') return { fault: 'names a file that is empty' };
    if (/\p{Cc}/u.test(secret)) return { fault: 'names a file with control characters, or several lines' };
    return { value: secret };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { fault: `names a file that ${code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`}` };
  }
}

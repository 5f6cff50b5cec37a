/**
 * Options of a command line. An unknown one or a wrong value is one sentence on standard error and exit code 2.
 *
 *     const { books, strict } = readOptions('npm run example', 'Does something with books.', {
 *       books: wholeNumber('how many books', 100),
 *       strict: flag('fail on the first error'),
 *     });
 */

import { parseArgs } from 'node:util';

/** True if the store is installed as a package: then it has no npm scripts, but one command. */
export const isInstalled = /[\\/]node_modules[\\/]/.test(import.meta.dirname);

export type Option<Value> = {
  help: string;
  /** The placeholder of the value, such as `number`. Undefined for a flag. */
  valueName: string | undefined;
  defaultText?: string | undefined;
  /** @param texts the values that were given; `true` for a flag. @throws {OptionError} for a wrong value. */
  read(texts: readonly (string | boolean)[]): Value;
};

export type Options = Readonly<Record<string, Option<unknown>>>;
export type Values<Of extends Options> = { [Name in keyof Of]: ReturnType<Of[Name]['read']> };

/** A wrong value. The message continues the option's name: `--books: "x" is not a whole number`. */
export class OptionError extends Error {}

export const flag = (help: string): Option<boolean> => ({
  help,
  valueName: undefined,
  read: (texts) => texts.includes(true),
});

/** An option that is undefined unless it is given. @param read throws an {@link OptionError} for a wrong text. */
export const value = <Value>(
  help: string,
  valueName: string,
  read: (text: string) => Value,
): Option<Value | undefined> => ({
  help,
  valueName,
  read: (texts) => (texts.length === 0 ? undefined : read(String(texts.at(-1)))),
});

export const text = (help: string, valueName: string) => value(help, valueName, (given) => given);

const withDefault = <Value>({ read, ...option }: Option<Value | undefined>, text: string): Option<Value> => ({
  ...option,
  defaultText: text,
  read: (texts) => read(texts.length === 0 ? [text] : texts) as Value,
});

export const wholeNumber = (help: string, defaultValue: number, min = 0): Option<number> =>
  withDefault(
    value(help, 'number', (given) => {
      if (/^\d{1,9}$/.test(given) && Number(given) >= min) return Number(given);
      throw new OptionError(`"${given}" is not a whole number from ${min} to 999999999`);
    }),
    String(defaultValue),
  );

/** An option with one of several words, by default the first. */
export const oneOf = <const Word extends string>(help: string, words: readonly [Word, ...Word[]]) =>
  withDefault(
    value(`${help}: ${words.join(' or ')}`, 'name', (given) => wordOf(given, words)),
    words[0],
  );

export function wordOf<Word extends string>(given: string | boolean, words: readonly Word[]): Word {
  const word = words.find((one) => one === given);
  if (word === undefined) throw new OptionError(`"${given}" is none of ${words.join(', ')}`);
  return word;
}

/** An option that may be given several times; by default it has all words. */
export const someOf = <Word extends string>(
  help: string,
  words: readonly Word[],
): Option<readonly Word[]> => ({
  help: `${help}: ${words.join(', ')}; may be repeated`,
  valueName: 'name',
  defaultText: 'all',
  read: (texts) => (texts.length === 0 ? words : texts.map((given) => wordOf(given, words))),
});

export type Declaration<Of extends Options> = {
  purpose: string;
  options: Of;
  /** The names of the operands in order, such as `FILE`. `FILE…` means one or more operands, `[FILE]` one or none. */
  operands?: readonly string[];
};

export const readOptions = <Of extends Options>(
  command: string,
  purpose: string,
  options: Of,
  args?: readonly string[],
): Values<Of> => readCommandLine(command, { purpose, options }, args).values;

export function readCommandLine<Of extends Options>(
  command: string,
  declaration: Declaration<Of>,
  args: readonly string[] = process.argv.slice(2),
): { values: Values<Of>; operands: string[] } {
  try {
    const read = readWords(command, declaration, args);
    if (!('usage' in read)) return read;
    process.stdout.write(read.usage);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    process.stderr.write(`${error.message}; --help lists the options.\n`);
    process.exit(2);
  }
}

/** @returns the values of the options, and the operands; or for `--help` the usage. @throws {OptionError} for a wrong word. */
export function readWords<Of extends Options>(
  command: string,
  { purpose, options, operands = [] }: Declaration<Of>,
  args: readonly string[],
): { values: Values<Of>; operands: string[] } | { usage: string } {
  const { values: given, positionals: words } = parse(options, args, operands.length > 0);
  if (given['help']) return { usage: usage([command, ...operands].join(' '), purpose, options) };
  const missing = operands[words.length];
  if (missing && !missing.startsWith('[')) throw new OptionError(`${missing.replace('…', '')} is missing`);
  if (words.length > operands.length && !operands.at(-1)?.endsWith('…')) {
    throw new OptionError(`Unexpected argument '${words[operands.length]}'`);
  }
  // The names are those of `options`, and each value is what its option reads.
  const values = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, readOption(name, option, given[name] ?? [])]),
  ) as Values<Of>;
  return { values, operands: words };
}

/** `--name -1` becomes `--name=-1`, because no option's name is a number. */
const withNegativeValues = (args: readonly string[]): string[] =>
  args.flatMap((arg, index) => {
    const isValue = (word = '') => /^-\d/.test(word);
    const takesValue = (word = '') => /^--[^=]+$/.test(word);
    if (takesValue(arg) && isValue(args[index + 1])) return `${arg}=${args[index + 1]}`;
    return isValue(arg) && takesValue(args[index - 1]) ? [] : arg;
  });

type Parsed = { values: Record<string, readonly (string | boolean)[] | undefined>; positionals: string[] };

function parse(options: Options, args: readonly string[], allowPositionals: boolean): Parsed {
  const typeOf = ({ valueName }: Option<unknown>) => (valueName === undefined ? 'boolean' : 'string');
  const config = Object.entries(options).map(
    ([name, option]) => [name, { type: typeOf(option), multiple: true as const }] as const,
  );
  const help = { type: 'boolean', short: 'h', multiple: true } as const;
  try {
    return parseArgs({
      args: withNegativeValues(args),
      allowPositionals,
      options: { ...Object.fromEntries(config), help },
    });
  } catch (error) {
    // Node explains some mistakes in several sentences.
    const [sentence = ''] = (error as Error).message.split(/\.(?:\s|$)|\n/);
    const advice = ' needs a value; write `--name=value` for one that begins with a dash';
    throw new OptionError(sentence.replace(/ argument is ambiguous$/, advice));
  }
}

function readOption(name: string, option: Option<unknown>, texts: readonly (string | boolean)[]): unknown {
  try {
    return option.read(texts);
  } catch (error) {
    throw error instanceof OptionError ? new OptionError(`--${name}: ${error.message}`) : error;
  }
}

function usage(command: string, purpose: string, options: Options): string {
  const rows = Object.entries(options).map(([name, { valueName, help, defaultText }]) => ({
    option: valueName === undefined ? `--${name}` : `--${name} <${valueName}>`,
    help: defaultText === undefined ? help : `${help} (default: ${defaultText})`,
  }));
  rows.push({ option: '--help', help: 'print this text' });
  const width = Math.max(...rows.map(({ option }) => option.length));
  const lines = rows.map(({ option, help }) => `  ${option.padEnd(width)}  ${help}`);
  // npm takes options for itself unless `--` is before them.
  const separator = command.startsWith('npm ') && !command.includes(' --') ? '-- ' : '';
  return `Usage: ${command} ${separator}[options]\n\n${purpose}\n\n${lines.join('\n')}\n`;
}

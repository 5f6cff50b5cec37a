import { acts } from '../server/acts.ts';
import { Problem } from '../server/http/problems.ts';
import { commit, version } from '../server/operations/build-info.ts';
import { StartError } from '../server/start-error.ts';
import { isInstalled, OptionError, readWords } from '../tools/options.ts';
import { commandsOf } from './act-command.ts';
import { bookCommands } from './books.ts';
import { type Command, type Io, printLine, type Result, UsageError } from './command.ts';
import { databaseCommands } from './database.ts';
import { settingsCommands } from './settings.ts';
import { tokenCommands } from './tokens.ts';

/** The commands by name: a noun alone, or a noun and a verb. */
export const commands: Readonly<Record<string, Command>> = {
  ...commandsOf(acts),
  ...bookCommands,
  ...tokenCommands,
  ...databaseCommands,
  ...settingsCommands,
};

/** Standard output has only the result. @returns the exit code. 0: done; 1: failed; 2: wrong usage. */
export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  if (args[0] === '--version') {
    io.stdout.write(`${version} (commit ${commit})\n`);
    return 0;
  }
  const [noun = '', verb = ''] = args;
  const name = [`${noun} ${verb}`, noun].find((name) => Object.hasOwn(commands, name)) ?? '';
  const declared = commands[name];
  if (!declared) return listCommands(args, io);
  try {
    const program = isInstalled ? 'npx colophon' : 'npm run shop --';
    const read = readWords(`${program} ${name}`, declared, args.slice(name.split(' ').length));
    if ('usage' in read) {
      io.stdout.write(read.usage);
      return 0;
    }
    const result = await declared.run(read.values, io, read.operands);
    return result ? print(io, result, read.values['json'] === true) : 0;
  } catch (error) {
    if (error instanceof OptionError) {
      io.stderr.write(`${error.message}; --help lists the options.\n`);
      return 2;
    }
    if (!(error instanceof StartError || error instanceof Problem)) throw error;
    const [wrong] = error instanceof Problem ? (error.errors ?? []) : [];
    for (const line of (wrong ?? error).message.split('\n')) printLine(io.stderr, line);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** @returns the exit code. */
function print({ stdout, stderr }: Io, result: Result, isJson: boolean): number {
  const { json, lines, notes = [], failure } = result;
  if (isJson) stdout.write(`${JSON.stringify(json)}\n`);
  else {
    for (const line of lines) printLine(stdout, line);
    for (const note of notes) printLine(stderr, note);
  }
  if (typeof failure === 'string') printLine(stderr, failure);
  return failure ? 1 : 0;
}

/** Lists all commands, or those of a noun. @returns the exit code. */
function listCommands(args: readonly string[], { stdout, stderr }: Io): number {
  const [noun = ''] = args;
  if (!args.some((word) => word === '--help' || word === '-h')) {
    const fault = noun === '' ? 'A command is missing' : `"${args.slice(0, 2).join(' ')}" is no command`;
    printLine(stderr, `${fault}; --help lists them.`);
    return 2;
  }
  const names = Object.keys(commands).sort();
  const ofNoun = names.filter((name) => name.startsWith(`${noun} `));
  const listed = (ofNoun.length > 0 ? ofNoun : names).map((name) => `  ${name}\n`);
  stdout.write(
    `${isInstalled ? 'serve starts the store. ' : ''}Commands, each of which has --help:\n\n${listed.join('')}`,
  );
  return 0;
}

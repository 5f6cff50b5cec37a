import { acts } from '../server/acts.ts';
import { Problem } from '../server/http/problems.ts';
import { commit, version } from '../server/operations/build-info.ts';
import { StartError } from '../server/start-error.ts';
import { isInstalled, OptionError, readWords } from '../tools/options.ts';
import { commandsOf } from './act-command.ts';
import { bookCommands } from './books.ts';
import { type Command, command, type Io, UsageError } from './command.ts';
import { customerCommands } from './customers.ts';
import { databaseCommands } from './database.ts';
import { printable } from './print.ts';
import { settingsCommands } from './settings.ts';
import { tokenCommands } from './tokens.ts';

/** The commands by name: a noun alone, or a noun and a verb. */
export const commands: Readonly<Record<string, Command>> = {
  ...commandsOf(acts),
  ...bookCommands,
  ...customerCommands,
  ...tokenCommands,
  ...databaseCommands,
  ...settingsCommands,
};
const names = Object.keys(commands).sort();

/**
 * Runs `npm run shop -- <noun> <verb>`. Standard output has the result alone.
 * @param args the words after `shop`.
 * @returns the exit code. 0: done; 1: failed; 2: wrong usage.
 */
export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  if (args[0] === '--version') {
    io.stdout.write(`${version} (commit ${commit})\n`);
    return 0;
  }
  try {
    const { name, declared, words } = chooseCommand(args);
    const read = readWords(
      [isInstalled ? 'npx colophon' : 'npm run shop --', ...name].join(' '),
      declared,
      words,
    );
    if (!('usage' in read)) return (await declared.run(read.values, io, read.operands)) ?? 0;
    io.stdout.write(read.usage);
    return 0;
  } catch (error) {
    if (error instanceof OptionError) {
      io.stderr.write(`${error.message}; --help lists the options.\n`);
      return 2;
    }
    if (!(error instanceof StartError || error instanceof Problem)) throw error;
    const [wrong] = error instanceof Problem ? (error.errors ?? []) : [];
    // A part of the message may come from a file, and a terminal would obey its control characters.
    io.stderr.write(`${(wrong ?? error).message.split('\n').map(printable).join('\n')}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** @throws {UsageError} when no command has this name. */
function chooseCommand(args: readonly string[]): {
  name: readonly string[];
  declared: Command;
  words: readonly string[];
} {
  for (const length of [2, 1]) {
    const name = args.slice(0, length);
    const declared = Object.hasOwn(commands, name.join(' ')) ? commands[name.join(' ')] : undefined;
    if (declared) return { name, declared, words: args.slice(length) };
  }
  const [noun = '', verb = ''] = args;
  const ofNoun = names.filter((name) => name.startsWith(`${noun} `));
  const isNoun = ofNoun.length > 0;
  const word = isNoun ? verb : noun;
  // A word with a dash is --help, or a mistake that `readWords` reports.
  if (word.startsWith('-')) return { name: [], declared: listOf(isNoun ? ofNoun : names), words: [word] };
  if (noun === '') throw new UsageError(isMissing);
  const others = isNoun ? `; there is ${ofNoun.join(', ')}` : '';
  throw new UsageError(
    `"${isNoun ? `${noun} ${verb}`.trim() : noun}" is no command${others}; --help lists all.`,
  );
}

const isMissing = 'A command is missing; --help lists them.';

/** `--help` without a command. */
const listOf = (listed: readonly string[]): Command =>
  command({
    purpose: `${isInstalled ? 'serve starts the store. ' : ''}Commands, each of which has --help:\n${listed.map((name) => `\n  ${name}`).join('')}`,
    options: {},
    async run() {
      throw new UsageError(isMissing);
    },
  });

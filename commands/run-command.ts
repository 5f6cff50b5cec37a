import { acts } from '../server/acts.ts';
import { commit, version } from '../server/operations/build-info.ts';
import { StartError } from '../server/start-error.ts';
import { isInstalled, OptionError, readWords } from '../tools/options.ts';
import { commandsOf } from './act-command.ts';
import { bookCommands } from './books.ts';
import { type Command, command, type Io } from './command.ts';
import { customerCommands } from './customers.ts';
import { databaseCommands } from './database.ts';
import { printable } from './print.ts';
import { settingsCommands } from './settings.ts';
import { tokenCommands } from './tokens.ts';
import { UsageError } from './usage-error.ts';

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
const program = isInstalled ? 'npx colophon' : 'npm run shop';

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
    const { title, declared, words } = chooseCommand(args);
    const read = readWords(title, declared, words);
    if ('usage' in read) {
      io.stdout.write(read.usage);
      return 0;
    }
    const exitCode = await declared.run(read.values, io, read.operands);
    return typeof exitCode === 'number' ? exitCode : 0;
  } catch (error) {
    if (error instanceof OptionError) {
      io.stderr.write(`${error.message}; --help lists the options.\n`);
      return 2;
    }
    if (!(error instanceof StartError)) throw error;
    // A part of the message may come from a file, and a terminal would obey its control characters.
    io.stderr.write(`${error.message.split('\n').map(printable).join('\n')}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

type Chosen = { title: string; declared: Command; words: readonly string[] };

/** @throws {UsageError} when no command has this name. */
function chooseCommand(args: readonly string[]): Chosen {
  const [noun = '', verb = ''] = args;
  for (const [name, length] of [
    [`${noun} ${verb}`, 2],
    [noun, 1],
  ] as const) {
    const declared = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (declared)
      return {
        title: isInstalled ? `${program} ${name}` : `${program} -- ${name}`,
        declared,
        words: args.slice(length),
      };
  }
  const ofNoun = names.filter((name) => name.startsWith(`${noun} `));
  const word = ofNoun.length > 0 ? verb : noun;
  // A word with a dash is --help, or a mistake that `readWords` reports.
  if (word.startsWith('-')) {
    return { title: program, declared: listOf(ofNoun.length > 0 ? ofNoun : names), words: [word] };
  }
  if (noun === '') throw new UsageError(isMissing);
  const others = ofNoun.length > 0 ? `; there is ${ofNoun.join(', ')}` : '';
  const given = ofNoun.length > 0 ? `${noun} ${verb}`.trim() : noun;
  throw new UsageError(`"${given}" is no command${others}; --help lists all.`);
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

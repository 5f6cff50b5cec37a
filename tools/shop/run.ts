/**
 * `npm run shop -- <noun> <verb>`: what the owner and the operator do beside a running store. Standard output has the result
 * alone. Exit code 0: done; 1: failed; 2: wrong usage.
 */

import { StartError } from '../../server/start-error.ts';
import { readOptions } from '../options.ts';
import { showActivity } from './activity.ts';
import { bookCommands } from './books.ts';
import { customerCommands } from './customers.ts';
import { databaseCommands } from './database.ts';
import { mailCommands } from './mail.ts';
import { orderCommands } from './orders.ts';
import { salesCommands } from './sales.ts';
import { settingsCommands } from './settings.ts';
import { tokenCommands } from './tokens.ts';
import { UsageError } from './usage-error.ts';

/** Takes the words after its name, and exits for wrong ones. */
export type Command = (args: readonly string[]) => Promise<void>;

/** By the noun alone, or by noun and verb. */
const commands: Readonly<Record<string, Command>> = {
  activity: showActivity,
  ...bookCommands,
  ...orderCommands,
  ...salesCommands,
  ...customerCommands,
  ...mailCommands,
  ...tokenCommands,
  ...databaseCommands,
  ...settingsCommands,
};

/** Prints the usage, or what is wrong with it, and ends the process. @param first the word in place of a command. */
function explain(given: string, first: string | undefined): never {
  const all = Object.keys(commands);
  const ofNoun = all.filter((name) => name.startsWith(`${noun} `));
  // A word that is an option is --help, or a mistake that it reports.
  if (first === undefined || first.startsWith('-')) {
    const names = (ofNoun.length > 0 ? ofNoun : all).map((name) => `\n  ${name}`).join('');
    readOptions('npm run shop', `Commands, each of which has --help:\n${names}`, {}, first ? [first] : []);
  }
  const others = ofNoun.length > 0 ? `; there is ${ofNoun.join(', ')}` : '';
  process.stderr.write(
    given === ''
      ? 'A command is missing; --help lists them.\n'
      : `"${given}" is no command${others}; --help lists all.\n`,
  );
  process.exit(2);
}

const [noun = '', verb = ''] = process.argv.slice(2);
const pair = `${noun} ${verb}`;
const name = [pair, noun].find((one) => Object.hasOwn(commands, one));
const command = name === undefined ? undefined : commands[name];
if (!command) {
  const isNoun = Object.keys(commands).some((one) => one.startsWith(`${noun} `));
  if (isNoun && verb.startsWith('-')) explain('', verb);
  explain(isNoun ? pair.trim() : noun, noun);
}

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // `… | head` has read enough.
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`Standard output cannot be written (${code}).\n`);
  process.exit(1);
});

try {
  await command(process.argv.slice(name === pair ? 4 : 3));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

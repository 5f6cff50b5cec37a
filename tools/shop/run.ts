/**
 * `npm run shop -- <command>`: what the owner and the operator do beside a running store. Standard output has the result
 * alone. Exit code 0: done; 1: failed; 2: wrong usage.
 */

import { StartError } from '../../server/start-error.ts';
import { readOptions } from '../options.ts';
import { showActivity } from './activity.ts';

/** Each takes the words after its name, and exits for wrong ones. */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  activity: showActivity,
};

const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  const purpose = `Commands: ${Object.keys(commands).join(', ')}. Each has --help.`;
  // A word that is an option is --help, or a mistake that it reports.
  readOptions('npm run shop', purpose, {}, name.startsWith('-') ? [name] : []);
  process.stderr.write(`"${name}" is no command; --help lists them.\n`);
  process.exit(2);
}

try {
  await command(args);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

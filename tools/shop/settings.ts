/** `shop settings`: whether the store can run with its settings. */

import { isPlainEmail } from '../../contract/email.ts';
import { envFileNames, loadEnvFile } from '../../server/env-file.ts';
import { checkSettings } from '../../server/operations/check/check-settings.ts';
import { flag, type Option, OptionError, readOptions } from '../options.ts';
import { printable } from './printable.ts';

const address: Option<string | undefined> = {
  help: 'send a test mail there; without it nothing is sent',
  valueName: 'address',
  read(texts) {
    const given = texts.at(-1);
    if (given === undefined) return undefined;
    const text = String(given);
    if (!isPlainEmail(text)) {
      throw new OptionError(`"${text}" is no address such as ada@shop.example`);
    }
    return text;
  },
};

async function check(args: readonly string[]): Promise<void> {
  const { 'send-test-mail': testMailTo, json } = readOptions(
    'npm run shop -- settings check',
    'Checks the settings, and connects to the database, the identity provider and the mail server. It changes nothing, and a ' +
      'store may run.',
    { 'send-test-mail': address, json: flag('print one JSON array') },
    args,
  );
  loadEnvFile();
  const checks = await checkSettings(process.env, { fileNames: envFileNames, testMailTo });
  if (json) process.stdout.write(`${JSON.stringify(checks)}\n`);
  for (const { name, ok, reason, isWarning } of json ? [] : checks) {
    const verdict = isWarning ? 'warning' : ok ? 'ok' : 'wrong';
    process.stdout.write(`${verdict.padEnd(7)}  ${printable(`${name}: ${reason}`)}\n`);
  }
  // A check that did not end still holds its connection.
  process.stdout.write('', () => process.exit(checks.some(({ ok }) => !ok) ? 1 : 0));
}

export const settingsCommands = { 'settings check': check };

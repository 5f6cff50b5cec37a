/** `shop settings`: whether the store can run with its settings. */

import { isPlainEmail } from '../contract/email.ts';
import { demoFault } from '../server/demo/demo.ts';
import { checkSettings } from '../server/operations/check/check-settings.ts';
import { loadEnvFile } from '../server/settings/env-file.ts';
import { flag, OptionError, value } from '../tools/options.ts';
import { command } from './command.ts';
import { lineOf, printJson } from './print.ts';

const address = value('send a test mail there; without it nothing is sent', 'address', (given) => {
  if (isPlainEmail(given)) return given;
  throw new OptionError(`"${given}" is no address such as ada@shop.example`);
});

const check = command({
  purpose:
    'Checks the settings, and connects to the database, the identity provider and the mail server. It changes nothing, and a ' +
    'store may run.',
  options: { 'send-test-mail': address, json: flag('print one JSON array') },
  async run({ 'send-test-mail': testMailTo, json }, io) {
    const fileNames = loadEnvFile(io.env);
    const checks = await checkSettings(io.env, { fileNames, testMailTo, demoFault });
    if (json) printJson(io, checks);
    for (const { name, ok, reason, isWarning } of json ? [] : checks) {
      const verdict = isWarning ? 'warning' : ok ? 'ok' : 'wrong';
      io.stdout.write(lineOf([verdict.padEnd(7), `${name}: ${reason}`]));
    }
    return checks.every(({ ok }) => ok) ? 0 : 1;
  },
});

export const settingsCommands = { 'settings check': check };

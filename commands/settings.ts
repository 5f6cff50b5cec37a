import { isPlainEmail } from '../contract/email.ts';
import { demoFault } from '../server/demo/demo.ts';
import { checkSettings } from '../server/operations/check/check-settings.ts';
import { loadEnvFile } from '../server/settings/env-file.ts';
import { OptionError, value } from '../tools/options.ts';
import { command, json } from './command.ts';

const address = value('send a test mail there; without it nothing is sent', 'address', (given) => {
  if (isPlainEmail(given)) return given;
  throw new OptionError(`"${given}" is no address such as ada@shop.example`);
});

export const settingsCommands = {
  'settings check': command({
    purpose:
      'Checks the settings, and connects to the database, the identity provider and the mail server. It changes nothing, and a ' +
      'store may run.',
    options: { 'send-test-mail': address, json },
    async run({ 'send-test-mail': testMailTo }, io) {
      const fileNames = loadEnvFile(io.env);
      const checks = await checkSettings(io.env, { fileNames, testMailTo, demoFault });
      const verdictOf = ({ ok, isWarning }: (typeof checks)[number]) =>
        isWarning ? 'warning' : ok ? 'ok' : 'wrong';
      return {
        json: checks,
        lines: checks.map((check) => [verdictOf(check).padEnd(7), `${check.name}: ${check.reason}`]),
        failure: checks.some(({ ok }) => !ok),
      };
    },
  }),
};

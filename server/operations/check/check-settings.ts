/** Checks the settings, and what they name: the database, the identity provider and the mail server. */

import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { paths } from '../../../contract/paths.ts';
import { OutdatedError } from '../../database/migrate.ts';
import { type DatabaseSettings, openDatabase } from '../../database/open.ts';
import { openErrorMessage } from '../../database/open-error.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { openTransport } from '../../mail/transport.ts';
import { checkCurrency } from '../../orders/check-currency.ts';
import { DeliveryError } from '../../outbox/delivery-error.ts';
import type { Environment } from '../../settings/reader.ts';
import { inspectSettings, type Settings } from '../../settings/settings.ts';
import { settingsWarnings } from '../../settings/warnings.ts';
import { signInProvider } from '../../sign-in/provider.ts';
import { StartError } from '../../start-error.ts';

/** `name`: a setting. `reason`: a sentence about the fault, without a secret. */
type SettingCheck = { name: string; ok: boolean; reason: string; isWarning?: true };

type Options = {
  fileNames?: readonly string[];
  testMailTo?: string | undefined;
  limitMs?: number;
  demoFault?: () => string | undefined;
};

/** Checks without changing anything. A check that reached its time limit keeps its connection. @returns warnings too, which count as ok. */
export async function checkSettings(
  env: Environment,
  { fileNames = [], testMailTo, limitMs = 30_000, demoFault = () => undefined }: Options = {},
): Promise<SettingCheck[]> {
  const { settings, faults } = inspectSettings(env, fileNames);
  const areRight = (names: RegExp) => !faults.some(({ name }) => names.test(name));
  const hasMailCheck = settings.mail !== undefined || testMailTo !== undefined;
  const checks: [name: string, isWanted: boolean, check: Check][] = [
    ['DATABASE_URL', areRight(/^DATABASE_/), checkDatabase(settings.database, settings.currency)],
    // A wrong setting has its default here, with which the demo would start.
    ['OIDC_ISSUER', areRight(/^(OIDC_|NODE_ENV|PUBLIC_URL|HOST)/), () => checkProvider(settings, demoFault)],
    ['MAIL_URL', areRight(/^MAIL_/) && hasMailCheck, () => checkMail(settings, testMailTo)],
  ];
  const wanted = checks.filter(([, isWanted]) => isWanted);
  const connections = await Promise.all(wanted.map(([name, , check]) => runWithin(limitMs, name, check)));
  const wrong = faults.map(({ name, message }) => ({ name, ok: false, reason: message }));
  const warnings = faults.length === 0 ? settingsWarnings(settings, env) : [];
  return [...wrong, ...connections.flat(), ...warnings.map(asWarning)];
}

const asWarning = (warning: string): SettingCheck => {
  const [name = '', ...words] = warning.split(' ');
  return { name, ok: true, reason: words.join(' '), isWarning: true };
};

/** @returns a sentence about what is right. @throws {StartError} about what is wrong; its message may begin with another setting. */
type Check = (onWarning: (warning: string) => void) => Promise<string>;

/** The limit of a check: a server that sends a line now and then, or is silent after the login, reaches no time limit of a client. */
async function runWithin(limitMs: number, name: string, check: Check): Promise<SettingCheck[]> {
  const warnings: string[] = [];
  const late = pause(limitMs, undefined, { ref: false }).then(() => {
    throw new StartError(`the check did not end within ${limitMs / 1000} seconds.`);
  });
  const row = await Promise.race([check((warning) => warnings.push(warning)), late])
    .then((reason) => ({ name, ok: true, reason }))
    .catch((error: unknown) => {
      if (!(error instanceof StartError)) throw error;
      const [, setting = name, reason = ''] =
        /^(?:(DATABASE_\w+|CURRENCY): )?(.*)$/s.exec(error.message) ?? [];
      return { name: setting, ok: false, reason };
    });
  return [row, ...warnings.map(asWarning)];
}

const checkDatabase =
  (settings: DatabaseSettings, currency: string): Check =>
  async (onWarning) => {
    if (settings.engine === 'sqlite' && !existsSync(settings.file)) {
      return `there is no database at ${settings.file}: the first start makes it.`;
    }
    try {
      const database = await openDatabase(settings, { isReadAsItIs: true, onWarning });
      await checkCurrency(database.db, currency).finally(() => database.close());
      return 'the database can be opened.';
    } catch (error) {
      const message = openErrorMessage(error, settings);
      const isOutdated = [error, (error as Error).cause].some((one) => one instanceof OutdatedError);
      if (isOutdated && message) return message.replace(/^\w+: /, '');
      // The message of another error might contain an address with its password.
      const name = (error as { code?: unknown }).code ?? (error as Error).name;
      throw new StartError(message ?? `the database cannot be opened (${name}).`);
    }
  };

async function checkProvider(
  { identity, publicUrl, adminClaim }: Settings,
  demoFault: () => string | undefined,
): Promise<string> {
  if (identity.mode === 'demo') {
    const fault = demoFault();
    if (fault !== undefined) throw new StartError(fault);
    return 'is unset: the store runs in demo mode.';
  }
  const callbackUrl = new URL(paths.signInCallback, publicUrl);
  await signInProvider({ ...identity.provider, callbackUrl, adminClaim })
    .begin()
    .catch((error: Error) => {
      throw new StartError(`no sign-in can begin: ${error.message}.`);
    });
  return 'the provider answers. A sign-in alone shows that it knows the store.';
}

async function checkMail({ mail, storeName }: Settings, testMailTo: string | undefined): Promise<string> {
  if (!mail) throw new StartError('is unset: there is no test mail.');
  const transport = openTransport(mail.url);
  try {
    await transport.checkLogin();
    if (testMailTo === undefined) return 'the mail server lets the store in. Nothing was sent.';
    const text = `${storeName} can send mail.`;
    await transport.send({
      messageId: `<${crypto.randomUUID()}@${mail.from.address.split('@').at(-1)}>`,
      from: { name: mail.from.name || storeName, address: mail.from.address },
      to: { name: '', address: testMailTo },
      subject: `Test mail of ${storeName}`,
      text,
      html: `<p>${escapeHtml(text)}</p>`,
    });
    return 'the mail server took the test mail.';
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    throw new StartError(`the mail server cannot be used: ${error.message}.`);
  } finally {
    transport.close();
  }
}

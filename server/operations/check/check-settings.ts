/** Checks the settings, and what they name: the database, the identity provider and the mail server; and the converter of images. */

import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { paths } from '../../../contract/paths.ts';
import { OutdatedError } from '../../database/migrate.ts';
import { type DatabaseSettings, openDatabase } from '../../database/open.ts';
import { openErrorMessage } from '../../database/open-error.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { imageFault } from '../../images/image-worker.ts';
import { openTransport } from '../../mail/transport.ts';
import { DeliveryError } from '../../outbox/delivery-error.ts';
import type { Environment } from '../../settings/reader.ts';
import { inspectSettings, type Settings } from '../../settings/settings.ts';
import { settingsWarnings } from '../../settings/warnings.ts';
import { signInProvider } from '../../sign-in/provider.ts';

/** `name` is a setting. `reason` is a sentence about it, without a secret. */
type SettingCheck = { name: string; ok: boolean; reason: string; isWarning?: true };

type Options = {
  /** The names of `.env`. */
  fileNames?: readonly string[];
  /** The address to send a test mail to. */
  testMailTo?: string | undefined;
  /** How long each check may take. */
  limitMs?: number;
  /** @returns why demo mode cannot start, as a sentence. */
  demoFault?: () => string | undefined;
};

/**
 * Changes nothing: a database that is missing is not made, and no mail is sent without `testMailTo`.
 * A check that has reached its limit still holds its connection.
 * @returns each wrong setting; what became of each connection, unless its settings are wrong; and warnings, which are ok.
 */
export async function checkSettings(
  env: Environment,
  { fileNames = [], testMailTo, limitMs = 30_000, demoFault = () => undefined }: Options = {},
): Promise<SettingCheck[]> {
  const { settings, faults } = inspectSettings(env, fileNames);
  const areRight = (prefix: string) => !faults.some(({ name }) => name.startsWith(prefix));
  // A wrong address or NODE_ENV stands as its default, with which the demo would start.
  const isDemoRefused =
    settings.isDemo && faults.some(({ name }) => /^(NODE_ENV|PUBLIC_URL|HOST)$/.test(name));
  // Without a mail server a shop has a warning.
  const hasMailCheck = settings.mail || testMailTo !== undefined || settings.isDemo;
  const checks = [
    ...(areRight('DATABASE_') ? [{ name: 'DATABASE_URL', outcome: checkDatabase(settings.database) }] : []),
    ...(areRight('OIDC_') && !isDemoRefused
      ? [{ name: 'OIDC_ISSUER', outcome: checkProvider(settings, demoFault) }]
      : []),
    ...(areRight('MAIL_') && hasMailCheck
      ? [{ name: 'MAIL_URL', outcome: checkMail(settings, testMailTo) }]
      : []),
    { name: 'sharp', outcome: checkImages() },
  ];
  const connections = await Promise.all(checks.map((check) => endWithin(limitMs, check)));
  const wrong = faults.map(({ name, message }) => ({ name, ok: false, reason: message }));
  const warnings = faults.length === 0 ? settingsWarnings(settings, env) : [];
  return [...wrong, ...connections.flat(), ...warnings.map(warningCheck)];
}

/** @param warning begins with the setting. */
const warningCheck = (warning: string): SettingCheck => {
  const [name = '', ...words] = warning.split(' ');
  return { name, ok: true, reason: words.join(' '), isWarning: true };
};

type RunningCheck = { name: string; outcome: Promise<SettingCheck | SettingCheck[]> };

/** A server that sends a line now and then, or has let the store in before it is silent, reaches no time limit of a client. */
async function endWithin(limitMs: number, { name, outcome }: RunningCheck): RunningCheck['outcome'] {
  const { promise: limit, resolve } = Promise.withResolvers<SettingCheck>();
  const reason = `the check did not end within ${limitMs / 1000} seconds.`;
  const timer = setTimeout(resolve, limitMs, { name, ok: false, reason });
  return await Promise.race([outcome, limit]).finally(() => clearTimeout(timer));
}

async function checkDatabase(settings: DatabaseSettings): Promise<SettingCheck[]> {
  if (settings.engine === 'sqlite' && !existsSync(settings.file)) return [await checkNewFile(settings.file)];
  const warnings: string[] = [];
  const onWarning = (warning: string) => warnings.push(warning);
  const withWarnings = (check: SettingCheck) => [check, ...warnings.map(warningCheck)];
  try {
    const database = await openDatabase(settings, { isReadAsItIs: true, onWarning });
    await database.close();
    return withWarnings({ name: 'DATABASE_URL', ok: true, reason: 'the database can be opened.' });
  } catch (error) {
    const isOutdated = [error, (error as Error).cause].some((one) => one instanceof OutdatedError);
    return withWarnings({ ...databaseFault(error, settings), ok: isOutdated });
  }
}

function databaseFault(error: unknown, settings: DatabaseSettings): { name: string; reason: string } {
  const message =
    openErrorMessage(error, settings) ??
    `DATABASE_URL: the database cannot be opened (${nameOfError(error)}).`;
  const [, name = '', reason = ''] = /^(\w+): (.*)$/s.exec(message) ?? [];
  return { name, reason };
}

/** Stands for an error without a sentence, whose message might have an address with its password. */
const nameOfError = (error: unknown): unknown => (error as { code?: unknown }).code ?? (error as Error).name;

/** SQLite's file, which the first start makes, and its folders. */
async function checkNewFile(file: string): Promise<SettingCheck> {
  const name = 'DATABASE_URL';
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  return await access(folder, constants.W_OK | constants.X_OK).then(
    () => ({ name, ok: true, reason: `there is no database at ${file}: the first start makes it.` }),
    () => ({
      name,
      ok: false,
      reason: `there is no database at ${file}, and this user cannot write to ${folder}.`,
    }),
  );
}

async function checkProvider(
  { identity, publicUrl, adminClaim }: Settings,
  demoFault: () => string | undefined,
): Promise<SettingCheck> {
  const name = 'OIDC_ISSUER';
  if (identity.mode === 'demo') {
    const fault = demoFault();
    return { name, ok: fault === undefined, reason: fault ?? 'is unset: the store runs in demo mode.' };
  }
  const callbackUrl = new URL(paths.signInCallback, publicUrl);
  return await signInProvider({ ...identity.provider, callbackUrl, adminClaim })
    .begin()
    .then(
      () => ({
        name,
        ok: true,
        reason: 'the provider answers. A sign-in alone shows that it knows the store.',
      }),
      (error: Error) => ({ name, ok: false, reason: `no sign-in can begin: ${error.message}.` }),
    );
}

/** Not a setting, but as easily wrong: node_modules of another platform. */
async function checkImages(): Promise<SettingCheck> {
  const fault = await imageFault();
  return { name: 'sharp', ok: fault === undefined, reason: fault ?? 'pictures can be converted.' };
}

async function checkMail(
  { mail, storeName }: Settings,
  testMailTo: string | undefined,
): Promise<SettingCheck> {
  const name = 'MAIL_URL';
  if (!mail) {
    const isWanted = testMailTo !== undefined;
    return {
      name,
      ok: !isWanted,
      reason: `is unset: ${isWanted ? 'there is no test mail' : 'no mail is sent'}.`,
    };
  }
  const transport = openTransport(mail.url);
  try {
    await transport.checkLogin();
    if (testMailTo === undefined) {
      return { name, ok: true, reason: 'the mail server lets the store in. Nothing was sent.' };
    }
    const text = `${storeName} can send mail.`;
    await transport.send({
      messageId: `<${crypto.randomUUID()}@${mail.from.address.split('@').at(-1)}>`,
      from: { name: mail.from.name || storeName, address: mail.from.address },
      to: { name: '', address: testMailTo },
      replyTo: undefined,
      subject: `Test mail of ${storeName}`,
      text,
      html: `<p>${escapeHtml(text)}</p>`,
    });
    return { name, ok: true, reason: 'the mail server took the test mail.' };
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    return { name, ok: false, reason: `the mail server cannot be used: ${error.message}.` };
  } finally {
    transport.close();
  }
}

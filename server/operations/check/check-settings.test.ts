import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endsWithTest, makeFolder } from '../../testing/ends-with-test.ts';
import { openSmtpServer, type TestSmtpServer } from '../../testing/smtp-server.ts';
import { startTestProvider, type TestProvider } from '../../testing/test-provider.ts';
import { checkSettings } from './check-settings.ts';

let folder: string;
let provider: TestProvider;
let smtp: TestSmtpServer;
let right: Record<string, string>;
beforeAll(async () => {
  folder = await makeFolder();
  [provider, smtp] = await Promise.all([startTestProvider(), openSmtpServer()]);
  right = {
    DATABASE_URL: `sqlite:${join(folder, 'data', 'store.db')}`,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'colophon',
    OIDC_CLIENT_SECRET: 'top-secret',
    ADMIN_EMAILS: 'ada@example.com',
    MAIL_URL: smtp.url.href,
    MAIL_FROM: 'shop@example.com',
    TIME_ZONE: 'Europe/Lisbon',
  };
});
afterAll(async () => {
  await Promise.all([provider.close(), smtp.close()]);
  await rm(folder, { recursive: true });
});

describe('a check of settings', () => {
  test('reaches the provider and the mail server; it makes no database, and sends no mail but a test mail to an address', async () => {
    const checks = await checkSettings(right);

    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['DATABASE_URL', true],
      ['OIDC_ISSUER', true],
      ['MAIL_URL', true],
    ]);
    expect(provider.requests).toEqual(['discovery']);
    expect(smtp.mails).toEqual([]);
    expect(existsSync(join(folder, 'data'))).toBe(false);

    const [, , mail] = await checkSettings(right, { testMailTo: 'ada@example.com' });
    expect(mail).toEqual({ name: 'MAIL_URL', ok: true, reason: 'the mail server took the test mail.' });
    expect(smtp.mails.map(({ to }) => to)).toEqual([['ada@example.com']]);
  });

  test('says what each connection lacks, without a secret, and names each wrong setting beside', async () => {
    const checks = await checkSettings(
      {
        ...right,
        DATABASE_URL: 'postgres://shop:pass-1@127.0.0.1:1/shop',
        OIDC_ISSUER: `${provider.issuer}/elsewhere`,
        // The server offers no login.
        MAIL_URL: smtp.url.href.replace('://', '://user:pass-3@'),
        PORT: 'http',
        COLOUR: 'blue',
      },
      { fileNames: ['COLOUR'] },
    );

    const unreachable = 'PostgreSQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED).';
    expect(checks).toEqual([
      { name: 'COLOUR', ok: false, reason: 'is no setting of the store (in .env)' },
      { name: 'PORT', ok: false, reason: '"http" is not a whole number from 1 to 65535' },
      { name: 'DATABASE_URL', ok: false, reason: unreachable },
      { name: 'OIDC_ISSUER', ok: false, reason: expect.stringMatching(/^no sign-in can begin: \w/) },
      { name: 'MAIL_URL', ok: false, reason: expect.stringMatching(/^the mail server cannot be used: \w/) },
    ]);
    expect(JSON.stringify(checks)).not.toMatch(/pass-|top-secret/);
  });

  test('connects to nothing whose settings are wrong', async () => {
    const env = { ...right, DATABASE_URL: 'mysql://db', OIDC_CLIENT_SECRET: '', MAIL_FROM: '' };

    const checks = await checkSettings(env);

    expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual([
      ...['DATABASE_URL', 'OIDC_CLIENT_SECRET', 'MAIL_FROM'],
    ]);
  });

  test('says ok for demo mode only where it can start', async () => {
    const issuerOf = async (env: Record<string, string>, demoFault?: () => string) =>
      (await checkSettings({ DATABASE_URL: 'mysql://db', ...env }, demoFault ? { demoFault } : {})).filter(
        ({ name }) => name === 'OIDC_ISSUER',
      );

    expect(await issuerOf({})).toMatchObject([{ ok: true }]);
    const reason = 'it is unset, and the demo needs a checkout.';
    expect(await issuerOf({}, () => reason)).toEqual([{ name: 'OIDC_ISSUER', ok: false, reason }]);
    for (const env of [{ NODE_ENV: 'production' }, { PUBLIC_URL: 'https://shop.example' }])
      expect(await issuerOf(env), JSON.stringify(env)).toMatchObject([{ ok: false }]);
    for (const env of [{ NODE_ENV: 'prod' }, { PUBLIC_URL: 'shop.example' }, { HOST: '0.0.0.0' }])
      expect(await issuerOf(env), JSON.stringify(env)).toEqual([]);
  });

  test('wants no database that a start would fill, and refuses a file that is none', async () => {
    const empty = join(folder, 'empty.db');
    const other = join(folder, 'other.db');
    new DatabaseSync(empty).exec('create table other (id integer)');
    await writeFile(other, 'This is no database at all. '.repeat(100));
    const checkFile = async (file: string) =>
      (await checkSettings({ DATABASE_URL: `sqlite:${file}` })).find(({ name }) => name === 'DATABASE_URL');

    expect(await checkFile(empty)).toMatchObject({
      ok: true,
      reason: expect.stringContaining('first start'),
    });
    expect(await checkFile(other)).toMatchObject({
      ok: false,
      reason: `${other} cannot be used (file is not a database).`,
    });
    // A check does not wait at a named pipe.
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await checkFile(pipe)).toMatchObject({ ok: false, reason: `${pipe} cannot be opened (ENXIO).` });
  });

  test('ends, whatever a server does', { timeout: 10_000 }, async () => {
    const postgres = await listen((socket) => {
      // The server sends AuthenticationOk and ReadyForQuery (PostgreSQL's manual, section 54.7), and then nothing.
      socket.once('data', () => socket.write('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I'));
    });
    const mail = await listen((socket) => {
      socket.write('220 mail.example\r\n');
      const lines = setInterval(() => socket.write('250-X\r\n'), 50);
      socket.on('close', () => clearInterval(lines));
    });
    const address = `postgres://shop@127.0.0.1:${postgres}/shop`;
    const env = {
      DATABASE_URL: address,
      ...{ MAIL_URL: `smtp://127.0.0.1:${mail}`, MAIL_FROM: 'shop@example.com' },
    };

    const checks = await checkSettings(env, { limitMs: 300 });

    const reason = 'the check did not end within 0.3 seconds.';
    expect(checks).toContainEqual({ name: 'DATABASE_URL', ok: false, reason });
    expect(checks).toContainEqual({ name: 'MAIL_URL', ok: false, reason });
  });
});

/** @returns the port of a server, which runs until the test ends. */
async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    endsWithTest(() => socket.destroy());
    onConnection(socket.on('error', () => undefined));
  }).listen(0, '127.0.0.1');
  endsWithTest(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

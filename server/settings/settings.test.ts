import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nameWarnings, SettingsError } from './reader.ts';
import { readDatabaseSettings, readSettings } from './settings.ts';
import { secretNames, settingNames } from './table.ts';
import { settingsWarnings } from './warnings.ts';

const faultsOf = (env: Record<string, string>, fileNames: readonly string[] = []): readonly string[] => {
  try {
    readSettings(env, fileNames);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
};

const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const provider = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'shop', OIDC_CLIENT_SECRET: 'secret' };
/** A shop that misses nothing but admins. */
const told = {
  ...provider,
  ...{ MAIL_URL: 'smtp://mail.example', MAIL_FROM: 'shop@example.com', TIME_ZONE: 'Europe/Lisbon' },
};
/** The settings that NODE_ENV=production needs besides. */
const shopEmail = { SHOP_EMAIL: 'service@shop.example' };

describe('settings', () => {
  test('have defaults for an empty environment', () => {
    expect(readSettings({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: new URL('http://localhost:3000'),
      database: {
        engine: 'sqlite',
        file: 'data/colophon.db',
        readTimeoutMs: 2_000,
        statementTimeoutMs: 10_000,
      },
      workers: 1,
      storeName: 'Colophon',
      timeZone: 'UTC',
      identity: { mode: 'demo', port: 3001 },
      adminEmails: [],
      imageHost: undefined,
      apiHost: '',
      allowedOrigins: [],
      trustedProxies: [],
      logLevel: 'info',
      hasRateLimits: true,
      maxConnections: 10_000,
      stopDelayMs: 0,
      metricsToken: undefined,
      securityContact: undefined,
      imageOrigins: ['https:'],
      hasDelivery: true,
      withdrawalDays: 14,
      startTimeoutMs: 60_000,
      isDeveloping: false,
    });
  });

  test('have no characters that nobody sees in what was pasted, and keep them within a name', () => {
    const settings = readSettings({
      ...provider,
      ADMIN_EMAILS: '\u200bada@shop.example,\u202agrace@sh\u200bop.example\u202c\u00a0',
      STORE_NAME: '\ufeffکتاب\u200cها\u200e',
      PUBLIC_URL: '\u200ehttps://shop\u00ad.example\u200b',
      PORT: '\u200e30\u200b01',
      TIME_ZONE: '\u2060Europe/Berlin',
      DATABASE_URL: 'postgres://shop@db/shop\u200b',
      TRUST_PROXY: '\u200b10.0.0.0/8',
      MAIL_FROM: '\u200bShop <orders\u200b@shop.example>',
      MAIL_URL: 'smtp://mail.example\u200e',
      ...shopEmail,
      SECURITY_CONTACT: 'mailto:\u200bsafe@shop.example',
    });

    expect(settings).toMatchObject({
      adminEmails: ['ada@shop.example', 'grace@shop.example'],
      storeName: 'کتاب\u200cها',
      publicUrl: new URL('https://shop.example'),
      port: 3001,
      timeZone: 'Europe/Berlin',
      database: { url: 'postgres://shop@db/shop' },
      trustedProxies: ['10.0.0.0/8'],
      mail: { from: { name: 'Shop', address: 'orders@shop.example' } },
      securityContact: 'mailto:safe@shop.example',
    });
  });

  test('limit reads to two seconds, and never allow them more than other statements', () => {
    const { database } = readSettings({ DATABASE_STATEMENT_TIMEOUT_MS: '500' });

    expect(database).toMatchObject({ readTimeoutMs: 500, statementTimeoutMs: 500 });
    expect(
      faultsOf({ DATABASE_STATEMENT_TIMEOUT_MS: '500', DATABASE_READ_TIMEOUT_MS: '501' }).join(),
    ).toContain('DATABASE_READ_TIMEOUT_MS: ');
  });

  test('accept several replicas, and repeat no password of theirs', () => {
    const env = {
      DATABASE_URL: 'postgres://db1/shop',
      DATABASE_READ_URLS: 'postgres://db2/s, postgres://db3/s',
    };

    expect(readSettings(env).database).toMatchObject({ readUrls: ['postgres://db2/s', 'postgres://db3/s'] });
    expect(faultsOf({ ...env, DATABASE_READ_URLS: 'http://shop:secret@db2' }).join()).not.toContain('secret');
  });

  test('allow several processes on PostgreSQL alone', () => {
    const postgres = { DATABASE_URL: 'postgres://db1/shop' };

    expect(readSettings({}).workers).toBe(1);
    expect(faultsOf({ WORKERS: '2' }).join()).toContain('WORKERS: "2" is for a DATABASE_URL of PostgreSQL');
    expect(faultsOf({ ...postgres, WORKERS: '2' }).join()).toBe(
      process.platform === 'linux' ? '' : 'WORKERS: "2" is for Linux and FreeBSD',
    );
    expect(faultsOf({ ...postgres, WORKERS: '0' }).join()).toContain('WORKERS: ');
  });

  test('derive the addresses from the port', () => {
    const { publicUrl, identity } = readSettings({ PORT: '4000' });

    expect(publicUrl.href).toBe('http://localhost:4000/');
    expect(identity).toEqual({ mode: 'demo', port: 4001 });
  });

  test('accept an external provider, whose default name is its host', () => {
    expect(readSettings({ ...provider, PUBLIC_URL: 'https://shop.example' }).identity).toEqual({
      mode: 'external',
      provider: {
        issuer: 'https://id.example/',
        clientId: 'shop',
        clientSecret: 'secret',
        name: 'id.example',
      },
    });
  });

  test('report every fault at once, each by its setting', () => {
    const faults = faultsOf({
      ...provider,
      PORT: 'http',
      DATABASE_URL: 'mysql://db',
      ADMIN_EMAILS: 'ada',
      ADMIN_CLAIM: 'shop-admins',
      TRUST_PROXY: '1',
      ALLOWED_ORIGINS: 'https://shop.example/',
      LOG_LEVEL: 'loud',
      API_HOST: 'https://api.example/v1',
    });

    expect(faults.map((fault) => fault.split(':')[0]).toSorted()).toEqual([
      ...['ADMIN_CLAIM', 'ADMIN_EMAILS', 'ALLOWED_ORIGINS', 'API_HOST', 'DATABASE_URL', 'LOG_LEVEL'],
      ...['PORT', 'TRUST_PROXY'],
    ]);
  });

  test.each([
    [{ PORT: '0' }, 'PORT'],
    [{ DATABASE_URL: 'sqlite::memory:' }, 'DATABASE_URL'],
    [{ PORT: '65536' }, 'PORT'],
    [{ ADMIN_CLAIM: 'groups:shop-admins' }, 'OIDC_ISSUER'],
    [{ ...provider, ADMIN_CLAIM: 'groups' }, 'ADMIN_CLAIM'],
    [{ ...provider, ADMIN_CLAIM: 'groups:' }, 'ADMIN_CLAIM'],
    [{ ...provider, ADMIN_CLAIM: ':shop-admins' }, 'ADMIN_CLAIM'],
    [{ ...provider, ADMIN_CLAIM: 'my groups:shop-admins' }, 'ADMIN_CLAIM'],
    [{ ...provider, ADMIN_CLAIM: 'groups:shop\u0007admins' }, 'ADMIN_CLAIM'],
    [{ ...provider, ADMIN_CLAIM: `groups:${'x'.repeat(500)}` }, 'ADMIN_CLAIM'],
    [{ ADMIN_EMAILS: '<ada@shop.example>' }, 'ADMIN_EMAILS'],
    [{ SECURITY_CONTACT: 'mailto:<ada@shop.example>' }, 'SECURITY_CONTACT'],
    [{ PUBLIC_URL: 'shop.example' }, 'PUBLIC_URL'],
    [{ ...provider, PUBLIC_URL: 'https://shop.example/books' }, 'PUBLIC_URL'],
    [{ TIME_ZONE: 'Europe/Atlantis' }, 'TIME_ZONE'],
    [{ TIME_ZONE: '+01:00' }, 'TIME_ZONE'],
    [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY'],
    [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY'],
    [{ TRUST_PROXY: '10.0.0.1' }, 'TRUST_PROXY'],
    [{ IMAGE_HOST_URL: 'https://img.example' }, 'IMAGE_HOST_KEY'],
    [{ IMAGE_HOST_KEY: 'k' }, 'IMAGE_HOST_URL'],
    [{ MAIL_URL: 'smtp://mail.example' }, 'MAIL_FROM'],
    [{ MAIL_FROM: 'a@shop.example' }, 'MAIL_URL'],
    [{ MAIL_URL: 'http://mail.example', MAIL_FROM: 'a@shop.example' }, 'MAIL_URL'],
    [{ MAIL_URL: 'smtp://mail.example/x', MAIL_FROM: 'a@shop.example' }, 'MAIL_URL'],
    [{ MAIL_URL: 'smtp://mail.example', MAIL_FROM: 'the shop' }, 'MAIL_FROM'],
    [{ MAIL_URL: 'smtp://mail.example', MAIL_FROM: 'a@shop.example, b@shop.example' }, 'MAIL_FROM'],
    [{ MAIL_URL: 'smtp://u:100%@mail.example', MAIL_FROM: 'a@shop.example' }, 'MAIL_URL'],
    [{ MAIL_UNVERIFIED: 'yes' }, 'MAIL_UNVERIFIED'],
    [{ DELIVERY: 'no' }, 'DELIVERY'],
    [{ WEBHOOK_URL: 'https://hooks.example' }, 'WEBHOOK_SECRET'],
    [{ WEBHOOK_SECRET: webhookSecret }, 'WEBHOOK_URL'],
    [{ WEBHOOK_URL: 'http://hooks.example', WEBHOOK_SECRET: webhookSecret }, 'WEBHOOK_URL'],
    ...[webhookSecret.slice(6), 'whsec_c2hvcnQ=', `${webhookSecret}=`, `${webhookSecret},x`].map(
      (secret): [Record<string, string>, string] => [
        { WEBHOOK_URL: 'https://hooks.example', WEBHOOK_SECRET: secret },
        'WEBHOOK_SECRET',
      ],
    ),
    [{ WEBHOOK_PRIVATE: 'yes' }, 'WEBHOOK_PRIVATE'],
    [{ WITHDRAWAL_DAYS: '3651' }, 'WITHDRAWAL_DAYS'],
    [{ SHOP_EMAIL: 'service' }, 'SHOP_EMAIL'],
    [{ OIDC_ISSUER: 'https://id.example' }, 'OIDC_CLIENT_ID'],
    [{ OIDC_CLIENT_ID: 'shop' }, 'OIDC_ISSUER'],
    [{ ...provider, OIDC_ISSUER: 'http://id.example' }, 'OIDC_ISSUER'],
    [{ DEMO_IDENTITY_PORT: '3000' }, 'DEMO_IDENTITY_PORT'],
    [{ RATE_LIMITS: 'no' }, 'RATE_LIMITS'],
    [{ DATABASE_READ_URLS: 'postgres://db2/shop' }, 'DATABASE_READ_URLS'],
    [
      { DATABASE_URL: 'postgres://db1/shop', DATABASE_READ_URLS: 'postgres://db2/shop,db3' },
      'DATABASE_READ_URLS',
    ],
    [{ DATABASE_READ_TIMEOUT_MS: '10001' }, 'DATABASE_READ_TIMEOUT_MS'],
    [{ DATABASE_URL: 'postgres://a/shop?port=abc' }, 'DATABASE_URL'],
    ...['p#ss', '12#ss', 'p/ss', '12/ss', 'p?ss', '12?ss', 'p%ss'].map((password): [object, string] => [
      { DATABASE_URL: `postgres://shop:${password}@db/shop` },
      'DATABASE_URL',
    ]),
    [{ DATABASE_URL: 'sqlite:~/shop.db' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'sqlite:~ada/shop.db' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'sqlite:$HOME/shop.db' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgres://a/shop?port=65536' }, 'DATABASE_URL'],
    [{ DATABASE_DIRECT_URL: 'postgres://127.0.0.1/shop' }, 'DATABASE_DIRECT_URL'],
    [{ DATABASE_URL: 'postgres://a/shop', DATABASE_DIRECT_URL: 'sqlite:shop.db' }, 'DATABASE_DIRECT_URL'],
    [{ START_TIMEOUT_MS: '-1' }, 'START_TIMEOUT_MS'],
    [{ MAX_CONNECTIONS: '0' }, 'MAX_CONNECTIONS'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN'],
    [{ METRICS_TOKEN: 'a token with some spaces' }, 'METRICS_TOKEN'],
    [{ SECURITY_CONTACT: 'ada@example.com' }, 'SECURITY_CONTACT'],
    [{ SECURITY_CONTACT: 'mailto:ada' }, 'SECURITY_CONTACT'],
    [{ IMAGE_ORIGINS: 'http://covers.example' }, 'IMAGE_ORIGINS'],
    [{ IMAGE_ORIGINS: "https://covers.example; script-src 'unsafe-inline'" }, 'IMAGE_ORIGINS'],
    [{ IMAGE_ORIGINS: 'https://*.example.com' }, 'IMAGE_ORIGINS'],
    [{ IMAGE_ORIGINS: 'https://a;b' }, 'IMAGE_ORIGINS'],
    [{ IMAGE_ORIGINS: "https://a'b" }, 'IMAGE_ORIGINS'],
    [{ ALLOWED_ORIGINS: 'https://*' }, 'ALLOWED_ORIGINS'],
    [{ API_HOST: 'https://a;b' }, 'API_HOST'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV'],
    [{ ...provider, NODE_ENV: 'Production' }, 'NODE_ENV'],
  ])('reject %j with a fault of %s', (env, name) => {
    expect(faultsOf(env as Record<string, string>).map((fault) => fault.split(':')[0])).toContain(name);
  });

  test('say how to write a password that has signs of an address, without repeating it', () => {
    const faults = faultsOf({ DATABASE_URL: 'postgres://shop:top#secret@db/shop' }).join();

    expect(faults).toContain('write # as %23');
    expect(faults).not.toContain('secret');
  });

  test.each(['https://user:secret@img.example', 'https://:secret@img.example', 'ftp://u:secret@img.example'])(
    'refuse %s without repeating its password',
    (url) => {
      const faults = faultsOf({ IMAGE_HOST_URL: url, IMAGE_HOST_KEY: 'k' }).join();

      expect(faults).toContain('IMAGE_HOST_URL: must not contain a user or a password');
      expect(faults).not.toContain('secret');
    },
  );

  test.each([
    { OIDC_ISSUER: 'https://user:secret@bad host/' },
    { PUBLIC_URL: 'https://user:secret@bad host/' },
    { IMAGE_HOST_URL: 'htps://img.example/?key=secret', IMAGE_HOST_KEY: 'k' },
    { ALLOWED_ORIGINS: 'https://user:secret@shop.example' },
    { IMAGE_ORIGINS: 'https://img.example/?key=secret' },
    { SECURITY_CONTACT: 'http://user:secret@shop.example' },
    { MAIL_FROM: 'smtp://user:secret@mail.example, shop@example.com' },
    { WEBHOOK_SECRET: 'whsec_secret', WEBHOOK_URL: 'https://hooks.example' },
    { WEBHOOK_URL: 'hooks.example/secret', WEBHOOK_SECRET: webhookSecret },
  ])('refuse the address %j without repeating it', (env) => {
    const faults = faultsOf(env as Record<string, string>).join();

    expect(faults).toContain(`${Object.keys(env)[0]}: `);
    expect(faults).not.toContain('secret');
  });

  test('refuse a token without repeating it', () => {
    expect(faultsOf({ METRICS_TOKEN: 'too-short' }).join()).not.toContain('too-short');
  });

  test('fold the ASCII letters of admins’ e-mails, and no others', () => {
    expect(readSettings({ ADMIN_EMAILS: 'ADA@Example.com, \u212Aate@example.com' }).adminEmails).toEqual([
      'ada@example.com',
      '\u212Aate@example.com',
    ]);
  });

  test.each([
    [{ NODE_ENV: 'production' }, 'OIDC_ISSUER'],
    [{ PUBLIC_URL: 'https://shop.example' }, 'OIDC_ISSUER'],
    [{ PUBLIC_URL: 'http://192.168.1.5:3000' }, 'OIDC_ISSUER'],
    [{ HOST: '0.0.0.0' }, 'HOST'],
  ])('reject demo mode with %j', (env, name) => {
    expect(faultsOf(env as Record<string, string>).join()).toContain(`${name}: `);
    expect(faultsOf({ ...provider, ...shopEmail, ...(env as Record<string, string>) })).toEqual([]);
  });

  test('name OIDC_ISSUER once, with all that needs it', () => {
    const { OIDC_ISSUER: _, ...client } = provider;
    const env = { ...client, NODE_ENV: 'production', PUBLIC_URL: 'https://shop.example', ADMIN_CLAIM: 'a:b' };

    expect(faultsOf({ ...env, ...shopEmail })).toEqual([
      'OIDC_ISSUER: is needed with OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, ADMIN_CLAIM, NODE_ENV=production, a PUBLIC_URL ' +
        'that is not loopback: demo mode, where anyone can sign in as anyone, is refused',
    ]);
    expect(faultsOf(env).join()).toContain('SHOP_EMAIL: is needed with NODE_ENV=production');
  });

  test('name a claim, of which the value follows the last colon', () => {
    const adminClaim = (setting: string) => readSettings({ ...provider, ADMIN_CLAIM: setting }).adminClaim;

    expect(adminClaim('groups: Shop Admins')).toMatchObject({ name: 'groups', value: 'Shop Admins' });
    expect(adminClaim('https://shop.example/roles:admin')).toEqual({
      setting: 'https://shop.example/roles:admin',
      name: 'https://shop.example/roles',
      value: 'admin',
    });
  });

  test.each(['production', 'development', 'test', ''])('accept %j as NODE_ENV', (environment) => {
    expect(faultsOf({ ...provider, ...shopEmail, NODE_ENV: environment })).toEqual([]);
  });

  test('need an address for customers in production, unless nothing can be withdrawn', () => {
    const shop = { ...provider, NODE_ENV: 'production' };

    expect(faultsOf(shop)).toEqual([
      'SHOP_EMAIL: is needed with NODE_ENV=production, unless WITHDRAWAL_DAYS is 0: customers who cannot sign in ' +
        'write there to withdraw',
    ]);
    expect(faultsOf({ ...shop, WITHDRAWAL_DAYS: '0' })).toEqual([]);
    expect(faultsOf(provider)).toEqual([]);
    expect(readSettings({ ...shop, ...shopEmail })).toMatchObject({
      withdrawalDays: 14,
      shopEmail: shopEmail.SHOP_EMAIL,
    });
  });

  test.each([
    [{}, []],
    [{ RATE_LIMITS: 'off' }, ['RATE_LIMITS']],
    [{ ...provider, ADMIN_EMAILS: 'ada@example.com' }, ['MAIL_URL', 'TIME_ZONE']],
    [{ ...told, ADMIN_EMAILS: 'ada@example.com' }, []],
    [{ ...told, ADMIN_CLAIM: 'groups:shop-admins' }, []],
    [{ ...told, PUBLIC_URL: 'https://shop.example' }, ['ADMIN_EMAILS']],
    [{ ...told, PUBLIC_URL: 'http://shop.example', ADMIN_EMAILS: 'ada@example.com' }, ['PUBLIC_URL']],
    [{ ...told, PUBLIC_URL: 'http://192.168.1.5' }, ['ADMIN_EMAILS', 'PUBLIC_URL']],
    [{ DATABASE_URL: 'postgres://colophon@db.example/colophon' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://colophon@db.example/colophon?sslmode=no-verify' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://colophon@localhost/colophon?host=db.example' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://colophon@db.example/colophon?sslmode=verify-full' }, []],
    [{ DATABASE_URL: 'postgres://colophon@127.0.0.1:5432/colophon' }, []],
    [
      { DATABASE_URL: 'postgres://localhost/shop', DATABASE_READ_URLS: 'postgres://db2.example/shop' },
      ['DATABASE_READ_URLS'],
    ],
    [{ DATABASE_URL: 'postgres://colophon@%2Fvar%2Frun%2Fpostgresql/colophon' }, []],
  ])('%j cause warnings about %j', (env, names) => {
    const warnings = settingsWarnings(
      readSettings(env as Record<string, string>),
      env as Record<string, string>,
    );

    expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(names);
  });

  test('accept networks of trusted proxies', () => {
    expect(readSettings({ TRUST_PROXY: '10.0.0.0/8, fd00::/8' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      'fd00::/8',
    ]);
  });
});

describe('names', () => {
  test('that .env has must all be known: each unknown one is a fault, beside those of the values', () => {
    const env = { PORT: 'http', ADMINEMAILS: 'ada@example.com', COLOUR: 'blue', store_name: 'Books' };

    expect(faultsOf(env, Object.keys(env))).toEqual([
      'ADMINEMAILS: is no setting of the store; is ADMIN_EMAILS meant? (in .env)',
      'COLOUR: is no setting of the store (in .env)',
      'store_name: is no setting of the store; is STORE_NAME meant? (in .env)',
      'PORT: "http" is not a whole number from 1 to 65535',
    ]);
  });

  test('that the libraries of the store read may be in .env', () => {
    const libraryNames = [
      ...['TMPDIR', 'TZ', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'PGPASSWORD', 'UV_THREADPOOL_SIZE'],
      ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'LANG', 'LC_ALL'],
      'COMPOSE_PROJECT_NAME',
    ];

    expect(faultsOf({}, [...settingNames, ...libraryNames])).toEqual([]);
  });

  test('of other programs cause no more than a warning, except in .env', () => {
    const env = { MAILFROM: 'x', LOGLEVEL: 'debug' };

    expect(faultsOf(env)).toEqual([]);
    expect(nameWarnings(env)).toEqual([
      'MAILFROM is no setting of the store; is MAIL_FROM meant?',
      'LOGLEVEL is no setting of the store; is LOG_LEVEL meant?',
    ]);
    expect(faultsOf(env, Object.keys(env))).toHaveLength(2);
  });

  test.each([
    ['ADMINEMAILS', 'ADMIN_EMAILS'],
    ['ADMIN_EMIALS', 'ADMIN_EMAILS'],
    ['OIDC_CLIENT_SECERT_FILE', 'OIDC_CLIENT_SECRET_FILE'],
  ])('of the environment are refused one edit away from a setting: %s', (name, meant) => {
    const fault = `${name}: is no setting of the store; is ${meant} meant?`;

    expect(faultsOf({ [name]: 'x' })).toEqual([fault]);
    expect(() => readDatabaseSettings({ [name]: 'x' })).toThrow(fault);
  });

  test('of the environment cause a warning two edits away, one from a short setting, or in other letters', () => {
    const names = ['ADMINEMAIL', 'API_HOSTS', 'database_url'];
    const env = Object.fromEntries(names.map((name) => [name, 'x']));

    expect(faultsOf(env)).toEqual([]);
    expect(nameWarnings(env).map((warning) => warning.split(' ')[0])).toEqual(names);
  });

  test('that every machine has cause neither', () => {
    const names =
      'HOSTNAME HOSTTYPE MAIL MAILTO LOGNAME PATH HOME SHELL USER LANG PWD OLDPWD TERM SHLVL _ PORTS HOSTS';
    const env = Object.fromEntries(names.split(' ').map((name) => [name, 'x']));

    expect([...faultsOf(env), ...nameWarnings(env)]).toEqual([]);
  });
});

describe('a secret in a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'colophon-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const fileOf = (text: string): string => {
    const file = join(folder, 'secret');
    writeFileSync(file, text);
    return file;
  };

  test('is read without a byte order mark and the line breaks at its end', () => {
    const password = fileOf('postgres://shop:secret@localhost/shop\n');
    const { OIDC_CLIENT_SECRET: _, ...rest } = provider;
    expect(readDatabaseSettings({ DATABASE_URL_FILE: password })).toMatchObject({
      url: 'postgres://shop:secret@localhost/shop',
    });

    const { identity } = readSettings({ ...rest, OIDC_CLIENT_SECRET_FILE: fileOf('\uFEFF se cret\r\n\n') });
    expect(identity).toMatchObject({ provider: { clientSecret: ' se cret' } });
  });

  test.each(secretNames)(
    '%s: one fault, without the secret or the path, for each way to be wrong',
    (name) => {
      const file = `${name}_FILE`;
      const needed: Record<string, string> = { ...provider, DATABASE_URL: 'postgres://localhost/shop' };
      Object.assign(needed, { IMAGE_HOST_URL: 'https://i.example', IMAGE_HOST_KEY: 'k' });
      Object.assign(needed, { MAIL_URL: 'smtp://localhost', MAIL_FROM: 'shop@example.com' });
      Object.assign(needed, { WEBHOOK_URL: 'https://hooks.example', WEBHOOK_SECRET: webhookSecret });
      const { [name]: _, ...env } = needed;
      const of = (more: Record<string, string>) =>
        faultsOf({ ...env, ...more }).filter((fault) => fault.startsWith(name));

      expect(of({ [name]: 'secret-1', [file]: fileOf('secret-2') })).toEqual([
        `${file}: is set beside ${name}: unset one of them`,
      ]);
      expect(of({ [file]: join(folder, 'none') })).toEqual([`${file}: names a file that is not there`]);
      expect(of({ [file]: folder })).toEqual([`${file}: names what is no file`]);
      expect(of({ [file]: '/dev/null' })).toEqual([`${file}: names what is no file`]);
      expect(of({ [file]: fileOf('\uFEFF\n') })).toEqual([`${file}: names a file that is empty`]);
      for (const text of ['a\nb', 'a\tb', 'a\0'])
        expect(of({ [file]: fileOf(text) })).toEqual([
          `${file}: names a file with control characters, or several lines`,
        ]);
      expect(of({ [file]: fileOf('x'.repeat(64 * 1024 + 1)) })).toEqual([
        `${file}: names a file of more than 64 KB`,
      ]);
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      expect(of({ [file]: pipe })).toEqual([`${file}: names what is no file`]);
    },
  );
});

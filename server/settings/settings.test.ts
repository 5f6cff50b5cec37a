import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../testing/ends-with-test.ts';
import { SettingsError } from './reader.ts';
import { readDatabaseSettings, readSettings } from './settings.ts';
import { secretNames } from './table.ts';
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
const mail = { MAIL_URL: 'smtp://mail.example', MAIL_FROM: 'a@shop.example' };
const webhook = { WEBHOOK_URL: 'https://hooks.example', WEBHOOK_SECRET: webhookSecret };
const transfer = { TRANSFER_IBAN: 'DE89370400440532013000', TRANSFER_NAME: 'Shop' };
const imageHost = { IMAGE_HOST_URL: 'https://img.example', IMAGE_HOST_KEY: 'k' };
/** The settings of a shop, complete except for the admins. */
const told = { ...provider, ...mail, TIME_ZONE: 'Europe/Lisbon' };
/** The settings that NODE_ENV=production also needs. */
const shopEmail = { SHOP_EMAIL: 'service@shop.example' };

/** The settings of a shop with a provider. */
const provided = (env: Record<string, string>): Record<string, string> => ({ ...provider, ...env });

describe('settings', () => {
  test('of a safe demo hold where nothing is set, and others follow from what is set', () => {
    const read: [env: Record<string, string>, settings: object][] = [
      [
        {},
        {
          ...{ host: '127.0.0.1', publicUrl: new URL('http://localhost:3000'), trustedProxies: [] },
          ...{ identity: { mode: 'demo', port: 3001 }, adminEmails: [], allowedOrigins: [] },
          ...{ hasRateLimits: true, maxConnections: 10_000, isDeveloping: false, imageOrigins: ['https:'] },
          database: { engine: 'sqlite', readTimeoutMs: 2_000, statementTimeoutMs: 10_000 },
        },
      ],
      [
        { PORT: '4000' },
        { publicUrl: new URL('http://localhost:4000'), identity: { mode: 'demo', port: 4001 } },
      ],
      // Reads never have a longer limit than other statements.
      [
        { DATABASE_STATEMENT_TIMEOUT_MS: '500' },
        { database: { readTimeoutMs: 500, statementTimeoutMs: 500 } },
      ],
      [
        provided({ PUBLIC_URL: 'https://shop.example' }),
        {
          identity: {
            mode: 'external',
            // The provider's default name is its host.
            provider: {
              ...{ issuer: 'https://id.example/', clientId: 'shop', clientSecret: 'secret' },
              name: 'id.example',
            },
          },
        },
      ],
      [{ TRUST_PROXY: '10.0.0.0/8, fd00::/8' }, { trustedProxies: ['10.0.0.0/8', 'fd00::/8'] }],
      // ASCII letters fold, but no other letters.
      [
        { ADMIN_EMAILS: 'ADA@Example.com, \u212Aate@example.com' },
        { adminEmails: ['ada@example.com', '\u212Aate@example.com'] },
      ],
      // The value of a claim follows the last colon.
      [
        provided({ ADMIN_CLAIM: 'groups: Shop Admins' }),
        { adminClaim: { name: 'groups', value: 'Shop Admins' } },
      ],
      [
        provided({ ADMIN_CLAIM: 'https://shop.example/roles:admin' }),
        { adminClaim: { name: 'https://shop.example/roles', value: 'admin' } },
      ],
      [
        {
          TRANSFER_IBAN: 'fr14 2004 1010 0505 0001 3m02 606',
          TRANSFER_NAME: 'Chez François',
          TRANSFER_BIC: 'PSSTFRPP',
        },
        { transfer: { iban: 'FR1420041010050500013M02606', name: 'Chez François', bic: 'PSSTFRPP' } },
      ],
      [
        provided({ ...shopEmail, NODE_ENV: 'production' }),
        { withdrawalDays: 14, shopEmail: shopEmail.SHOP_EMAIL },
      ],
    ];
    for (const [env, settings] of read) {
      expect(readSettings(env), JSON.stringify(env)).toMatchObject(settings);
    }
  });

  test('have no characters that nobody sees in what was pasted, and keep them within a name', () => {
    const settings = readSettings({
      ...provider,
      ADMIN_EMAILS: '\u200bada@shop.example,\u202agrace@sh\u200bop.example\u202c\u00a0',
      STORE_NAME: '\ufeffکتاب\u200cها\u200e',
      PUBLIC_URL: '\u200ehttps://shop\u00ad.example\u200b',
      PORT: '\u200e30\u200b01',
      DATABASE_URL: 'postgres://shop@db/shop\u200b',
    });

    expect(settings).toMatchObject({
      adminEmails: ['ada@shop.example', 'grace@shop.example'],
      storeName: 'کتاب\u200cها',
      publicUrl: new URL('https://shop.example'),
      port: 3001,
      database: { url: 'postgres://shop@db/shop' },
    });
  });

  /** Values that are wrong without regard to other settings. */
  const wrongAlone: Record<string, string[]> = {
    PORT: ['0', '65536', 'http'],
    LOG_LEVEL: ['loud'],
    DATABASE_URL: [
      'mysql://db',
      ...['sqlite::memory:', 'sqlite:~/shop.db', 'sqlite:~ada/shop.db', 'sqlite:$HOME/shop.db'],
      ...['postgres://a/shop?port=abc', 'postgres://a/shop?port=65536'],
      ...['p#ss', '12#ss', 'p/ss', '12/ss', 'p?ss', '12?ss', 'p%ss'].map(
        (password) => `postgres://shop:${password}@db/shop`,
      ),
    ],
    DATABASE_DIRECT_URL: ['postgres://127.0.0.1/shop'],
    ADMIN_EMAILS: ['<ada@shop.example>', 'ada'],
    ADMIN_CLAIM: [
      'groups',
      'groups:',
      ':admins',
      'my groups:admins',
      'groups:a\u0007',
      `a:${'x'.repeat(500)}`,
    ],
    SECURITY_CONTACT: ['mailto:<ada@shop.example>', 'ada@example.com', 'mailto:ada'],
    PUBLIC_URL: ['shop.example', 'https://shop.example/books'],
    CURRENCY: ['EURO', 'eur', 'BHD'],
    ORDER_BUTTON: ['x'.repeat(61)],
    TIME_ZONE: ['Europe/Atlantis', '+01:00'],
    TRUST_PROXY: ['1', 'true', '10.0.0.0/33', '10.0.0.1', '0.0.0.0/0', '::/0'],
    WITHDRAWAL_DAYS: ['3651'],
    SHOP_EMAIL: ['service'],
    OIDC_ISSUER: ['http://id.example'],
    METRICS_TOKEN: ['short', 'a token with some spaces'],
    IMAGE_ORIGINS: [
      ...['http://covers.example', "https://covers.example; script-src 'unsafe-inline'"],
      ...['https://*.example.com', 'https://a;b', "https://a'b"],
    ],
    ALLOWED_ORIGINS: ['https://*', 'https://shop.example/'],
    API_HOST: ['https://a;b', 'https://api.example/v1'],
    NODE_ENV: ['prod', 'Production'],
    TRANSFER_IBAN: [
      ...[
        'DE8937040044053201300',
        'DE89 3704 0044 0532 0130 01',
        'DE893704004405320130000',
        'US64SVBKUS6S3300958879',
      ],
      ...['3704004405320130', 'DE8937040044053201300!'],
    ],
    TRANSFER_NAME: ['x'.repeat(71), '😀'.repeat(70), 'Shop\nDE02120300000000202051'],
    TRANSFER_BIC: ['COBADEF', 'cobadeff', 'COBADEFFXX'],
  };
  type Fault = [env: Record<string, string>, name: string];
  const wrongTogether: Fault[] = [
    // Each of these settings needs the other.
    ...[mail, webhook, imageHost, provider, transfer].flatMap((together) =>
      Object.keys(together).map((name): Fault => [{ ...together, [name]: '' }, name]),
    ),
    [{ ADMIN_CLAIM: 'groups:shop-admins' }, 'OIDC_ISSUER'],
    [{ TRANSFER_BIC: 'COBADEFFXXX' }, 'TRANSFER_IBAN'],
    [{ DEMO_IDENTITY_PORT: '3000' }, 'DEMO_IDENTITY_PORT'],
    [{ ...provider, DEMO_PAYMENTS: 'on' }, 'DEMO_PAYMENTS'],
    [{ STRIPE_SECRET_KEY: 'sk', STRIPE_WEBHOOK_SECRET: 'whsec', DEMO_PAYMENTS: 'on' }, 'DEMO_PAYMENTS'],
    ...['http://mail.example', 'smtp://mail.example/x', 'smtp://u:100%@mail.example'].map(
      (url): Fault => [{ ...mail, MAIL_URL: url }, 'MAIL_URL'],
    ),
    ...['the shop', 'a@shop.example, b@shop.example'].map(
      (from): Fault => [{ ...mail, MAIL_FROM: from }, 'MAIL_FROM'],
    ),
    [{ ...webhook, WEBHOOK_URL: 'http://hooks.example' }, 'WEBHOOK_URL'],
    ...[webhookSecret.slice(6), 'whsec_c2hvcnQ=', `${webhookSecret}=`, `${webhookSecret},x`].map(
      (secret): Fault => [{ ...webhook, WEBHOOK_SECRET: secret }, 'WEBHOOK_SECRET'],
    ),
    [{ DATABASE_STATEMENT_TIMEOUT_MS: '500', DATABASE_READ_TIMEOUT_MS: '501' }, 'DATABASE_READ_TIMEOUT_MS'],
    [{ DATABASE_URL: 'postgres://a/shop', DATABASE_DIRECT_URL: 'sqlite:shop.db' }, 'DATABASE_DIRECT_URL'],
  ];
  test('are refused with a fault of their name where they are wrong', () => {
    const alone = Object.entries(wrongAlone).flatMap(([name, values]) =>
      values.map((value): Fault => [{ ...provider, [name]: value }, name]),
    );
    for (const [env, name] of [...alone, ...wrongTogether]) {
      const names = faultsOf(env).map((fault) => fault.split(':')[0]);
      expect(names, JSON.stringify(env)).toContain(name);
    }
  });

  test('refuse the address, the token or the password that is wrong without repeating it', () => {
    const wrong: Record<string, string>[] = [
      { OIDC_ISSUER: 'https://user:secret@bad host/' },
      { PUBLIC_URL: 'https://user:secret@bad host/' },
      { IMAGE_HOST_URL: 'https://:secret@img.example', IMAGE_HOST_KEY: 'k' },
      { IMAGE_HOST_URL: 'htps://img.example/?key=secret', IMAGE_HOST_KEY: 'k' },
      { ALLOWED_ORIGINS: 'https://user:secret@shop.example' },
      { IMAGE_ORIGINS: 'https://img.example/?key=secret' },
      { SECURITY_CONTACT: 'http://user:secret@shop.example' },
      { MAIL_FROM: 'smtp://user:secret@mail.example, shop@example.com' },
      { WEBHOOK_SECRET: 'whsec_secret', WEBHOOK_URL: 'https://hooks.example' },
      { WEBHOOK_URL: 'hooks.example/secret', WEBHOOK_SECRET: webhookSecret },
      { METRICS_TOKEN: 'my-secret' },
      { STRIPE_SECRET_KEY: 'sk_live_ secret', STRIPE_WEBHOOK_SECRET: 'whsec_shop' },
      { MOLLIE_API_KEY: 'live_\nsecret' },
      { DATABASE_DIRECT_URL: 'http://shop:secret@db2', DATABASE_URL: 'postgres://db1/shop' },
      { DATABASE_URL: 'postgres://shop:top#secret@db/shop' },
    ];
    for (const env of wrong) {
      const faults = faultsOf(env).join();
      expect(faults).toContain(`${Object.keys(env)[0]}: `);
      expect(faults).not.toContain('secret');
    }
    expect(faultsOf(wrong.at(-1) ?? {}).join()).toContain('write # as %23');
  });

  test('reject demo mode with NODE_ENV=production, a PUBLIC_URL or a HOST that is not loopback', () => {
    const exposed: [env: Record<string, string>, name: string][] = [
      [{ NODE_ENV: 'production' }, 'OIDC_ISSUER'],
      [{ PUBLIC_URL: 'https://shop.example' }, 'OIDC_ISSUER'],
      [{ PUBLIC_URL: 'http://192.168.1.5:3000' }, 'OIDC_ISSUER'],
      [{ HOST: '0.0.0.0' }, 'HOST'],
    ];
    for (const [env, name] of exposed) {
      expect(faultsOf(env).join(), JSON.stringify(env)).toContain(`${name}: `);
      expect(faultsOf({ ...provider, ...shopEmail, ...env })).toEqual([]);
    }
  });

  test('name OIDC_ISSUER once, with all that needs it; production needs an address for withdrawals too', () => {
    const { OIDC_ISSUER: _, ...client } = provider;
    const env = { ...client, NODE_ENV: 'production', PUBLIC_URL: 'https://shop.example', ADMIN_CLAIM: 'a:b' };

    expect(faultsOf({ ...env, ...shopEmail })).toEqual([
      'OIDC_ISSUER: is needed with OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, ADMIN_CLAIM, NODE_ENV=production, a PUBLIC_URL ' +
        'that is not loopback: demo mode, where anyone can sign in as anyone, is refused',
    ]);
    expect(faultsOf({ ...env, ...provider })).toEqual([
      'SHOP_EMAIL: is needed with NODE_ENV=production, unless WITHDRAWAL_DAYS is 0: customers who cannot sign in ' +
        'write there to withdraw',
    ]);
    expect(faultsOf({ ...env, ...provider, WITHDRAWAL_DAYS: '0' })).toEqual([]);
  });

  const warned: [env: Record<string, string>, names: string[]][] = [
    [{}, []],
    [{ RATE_LIMITS: 'off' }, ['RATE_LIMITS']],
    [{ ...provider, ADMIN_EMAILS: 'ada@example.com' }, ['MAIL_URL', 'TIME_ZONE']],
    [{ ...told, ADMIN_CLAIM: 'groups:shop-admins' }, []],
    [{ ...told, PUBLIC_URL: 'https://shop.example' }, ['ADMIN_EMAILS']],
    [{ ...told, PUBLIC_URL: 'http://shop.example', ADMIN_EMAILS: 'ada@example.com' }, ['PUBLIC_URL']],
    [{ DATABASE_URL: 'postgres://colophon@db.example/colophon' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://colophon@localhost/colophon?host=db.example' }, ['DATABASE_URL']],
    [{ DATABASE_URL: 'postgres://colophon@db.example/colophon?sslmode=verify-full' }, []],
    [{ DATABASE_URL: 'postgres://colophon@127.0.0.1:5432/colophon' }, []],
    [
      { DATABASE_URL: 'postgres://localhost/shop', DATABASE_DIRECT_URL: 'postgres://db2.example/shop' },
      ['DATABASE_DIRECT_URL'],
    ],
    [{ DATABASE_URL: 'postgres://colophon@%2Fvar%2Frun%2Fpostgresql/colophon' }, []],
  ];
  test('cause a warning of what a shop should set', () => {
    for (const [env, names] of warned) {
      const warnings = settingsWarnings(readSettings(env), env);
      expect(
        warnings.map((warning) => warning.split(' ')[0]),
        JSON.stringify(env),
      ).toEqual(names);
    }
  });
});

test('a name of the environment is refused one edit away from a setting, unless it may be another program’s', () => {
  for (const [name, meant] of [
    ['ADMINEMAILS', 'ADMIN_EMAILS'],
    ['ADMIN_EMIALS', 'ADMIN_EMAILS'],
    ['PORTT', 'PORT'],
    ['OIDC_CLIENT_SECERT_FILE', 'OIDC_CLIENT_SECRET_FILE'],
  ] as const) {
    const fault = `${name}: is no setting of the store; is ${meant} meant?`;
    expect(faultsOf({ [name]: 'x' })).toEqual([fault]);
    expect(() => readDatabaseSettings({ [name]: 'x' })).toThrow(fault);
  }
  // Other programs may use these names.
  expect(faultsOf({ MAILFROM: 'x', LOGLEVEL: 'x', API_HOSTS: 'x', HOSTS: 'x', database_url: 'x' })).toEqual(
    [],
  );
  // Every machine has these names.
  const names =
    'HOSTNAME HOSTTYPE MAIL MAILTO LOGNAME PATH HOME SHELL USER LANG PWD OLDPWD TERM _ PORTS HOSTS';
  const usual = Object.fromEntries(names.split(' ').map((name) => [name, 'x']));
  expect(faultsOf(usual)).toEqual([]);
});

test('a setting that older versions had is refused with what to do instead', () => {
  for (const name of ['WORKERS', 'DATABASE_READ_URLS', 'DATABASE_READ_URLS_FILE']) {
    const fault = `${name}: is no setting any more: start several nodes behind a proxy (docs/database.md)`;
    expect(faultsOf({ [name]: 'x' })).toEqual([fault]);
    expect(faultsOf({}, [name])).toEqual([fault]);
  }
});

test('a secret in a file is read without a byte order mark and the line breaks at its end, and has one fault, without the secret or the path, for each way to be wrong', async () => {
  const folder = await makeFolder();
  const fileOf = (text: string): string => {
    const file = join(folder, 'secret');
    writeFileSync(file, text);
    return file;
  };
  const url = 'postgres://shop:secret@localhost/shop';
  expect(readDatabaseSettings({ DATABASE_URL_FILE: fileOf(`${url}\n`) })).toMatchObject({ url });
  const secretOf = {
    ...provider,
    OIDC_CLIENT_SECRET: '',
    OIDC_CLIENT_SECRET_FILE: fileOf('\uFEFF se cret\r\n\n'),
  };
  expect(readSettings(secretOf).identity).toMatchObject({ provider: { clientSecret: ' se cret' } });

  const needed: Record<string, string> = {
    ...provider,
    ...mail,
    ...webhook,
    ...imageHost,
    DATABASE_URL: url,
  };
  for (const name of secretNames) {
    const file = `${name}_FILE`;
    const { [name]: _, ...env } = needed;
    const faultOf = (path: string, more: Record<string, string> = {}) =>
      faultsOf({ ...env, ...more, [file]: path }).filter((fault) => fault.startsWith(name));

    expect(faultOf(fileOf('secret-2'), { [name]: 'secret-1' })).toEqual([
      `${file}: is set beside ${name}: unset one of them`,
    ]);
    expect(faultOf(join(folder, 'none'))).toEqual([`${file}: names a file that is not there`]);
    expect(faultOf(folder)).toEqual([`${file}: names a file that cannot be read (EISDIR)`]);
    for (const [text, fault] of [
      ['\uFEFF\n', 'is empty'],
      ['a\nb', 'with control characters, or several lines'],
      ['a\0', 'with control characters, or several lines'],
    ] as const) {
      expect(faultOf(fileOf(text)).join(), text.slice(0, 9)).toMatch(
        new RegExp(`^${file}: names a file (that )?${fault}$`),
      );
    }
  }
});

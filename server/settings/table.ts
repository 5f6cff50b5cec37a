/** The settings, each declared once. `.env.example` and docs/settings.md are written from them (table.test.ts). */

import * as a from './parsers.ts';

/** @param Value what the features get. */
export type Setting<Value = unknown> = {
  parse: a.Parse<Value>;
  /** As in the environment. None: the setting may be unset, or its default is made from others. */
  default?: string;
  /** It may be in a file instead, which `NAME_FILE` names. No message repeats its value. */
  isSecret?: true;
  /** For operators. */
  about: string;
};

const timeoutMs = a.wholeNumber(1, 600_000);
const port = a.wholeNumber(1, a.maxPort);
const onOrOff = a.choice('on', 'off');

export const settingsTable = {
  NODE_ENV: {
    // A closed list: a typo such as `prod` would look safe, but only `production` refuses demo mode.
    parse: a.choice('production', 'development', 'test'),
    about: 'production, development or test. production refuses demo mode.',
  },
  PORT: { parse: port, default: '3000', about: 'The port that the store listens on.' },
  HOST: { parse: a.text, default: '127.0.0.1', about: 'The address that the store listens on.' },
  PUBLIC_URL: {
    parse: a.origin,
    about:
      'The address that browsers use, without a path. Unset: http://localhost with the PORT. The sign-in callback to register ' +
      'with the provider is PUBLIC_URL/auth/callback.',
  },
  DATABASE_URL: {
    parse: a.database,
    default: 'sqlite:data/colophon.db',
    isSecret: true,
    about:
      'sqlite:<file>, where a relative path starts at the folder that the store is started in, or ' +
      'postgres://user:password@host:port/database, with ?sslmode=verify-full for a server on another machine.',
  },
  DATABASE_DIRECT_URL: {
    parse: a.postgresUrl,
    isSecret: true,
    about: "The server's own address, where DATABASE_URL is that of a pooler in transaction mode.",
  },
  DATABASE_POOL_SIZE: {
    parse: a.wholeNumber(1, 1_000),
    default: '10',
    about: 'PostgreSQL: connections per node.',
  },
  DATABASE_CONNECT_TIMEOUT_MS: {
    parse: timeoutMs,
    default: '2000',
    about: 'PostgreSQL: how long a request waits for a connection.',
  },
  DATABASE_READ_TIMEOUT_MS: {
    parse: timeoutMs,
    default: '2000',
    about: 'How long a read may take; not more than any other statement.',
  },
  DATABASE_STATEMENT_TIMEOUT_MS: {
    parse: timeoutMs,
    default: '10000',
    about: 'How long any other statement may take.',
  },
  START_TIMEOUT_MS: {
    parse: a.wholeNumber(0, 86_400_000),
    default: '60000',
    about: 'How long a start waits for a database that is not there yet. 0 does not wait.',
  },
  STORE_NAME: { parse: a.text, default: 'Colophon', about: 'The brand.' },
  TIME_ZONE: {
    parse: a.timeZone,
    default: 'UTC',
    about:
      'The zone of the shop’s clocks, such as Europe/Berlin: the days of sales and filters, and the times on the desk.',
  },
  OIDC_ISSUER: {
    parse: a.url,
    about:
      'The OpenID Connect provider; it needs the client’s id and secret too. Unset: demo mode, on loopback only, with a demo ' +
      'catalogue and a demo provider.',
  },
  OIDC_CLIENT_ID: { parse: a.text, about: 'The id that the provider has given the store.' },
  OIDC_CLIENT_SECRET: { parse: a.text, isSecret: true, about: 'The secret that belongs to the id.' },
  OIDC_PROVIDER_NAME: {
    parse: a.text,
    about:
      'The sign-in button reads "Continue with $OIDC_PROVIDER_NAME". Unset: with the issuer’s host name.',
  },
  DEMO_IDENTITY_PORT: { parse: port, about: 'The port of the demo provider. Unset: PORT + 1.' },
  ADMIN_EMAILS: {
    parse: a.emails,
    default: '',
    about:
      'Verified e-mails that may change the catalogue and use the owner’s desk, separated by commas. Unset, as ADMIN_CLAIM: any ' +
      'signed-in user may change the catalogue, of which the log warns outside demo mode, and only the demo has a desk.',
  },
  ADMIN_CLAIM: {
    parse: a.adminClaim,
    about:
      'A claim of the provider and its value, such as groups:shop-admins or realm_access.roles:shop-admin: customers who have it ' +
      'are admins as well, whatever their e-mail. docs/providers.md has the claims of several providers.',
  },
  IMAGE_HOST_URL: {
    parse: a.url,
    about: 'An imgbb-compatible image host. Unset: the store’s own.',
  },
  IMAGE_HOST_KEY: {
    parse: a.text,
    isSecret: true,
    about: 'The key of that image host. It goes to the browsers of all who may add books.',
  },
  API_HOST: {
    parse: a.origin,
    about: 'The origin of the API as the browser sees it. Unset: the origin of the page.',
  },
  ALLOWED_ORIGINS: {
    parse: a.origins,
    default: '',
    about: 'Other origins that may call the API with credentials, separated by commas.',
  },
  TRUST_PROXY: {
    parse: a.networks,
    default: '',
    about:
      'Networks in CIDR form whose X-Forwarded headers are trusted, separated by commas: 127.0.0.1/32 for a proxy on this machine.',
  },
  RATE_LIMITS: {
    parse: onOrOff,
    default: 'on',
    about:
      'Limits of requests per client and per account. off is for benchmarks, whose load comes from one client.',
  },
  MAX_CONNECTIONS: {
    parse: a.wholeNumber(1, 1_000_000),
    default: '10000',
    about: 'How many connections are accepted at once.',
  },
  STOP_DELAY_MS: {
    parse: a.wholeNumber(0, 600_000),
    default: '0',
    about:
      'How long the store goes on serving after a signal to stop, while /readyz returns 503: 5000 behind a load balancer.',
  },
  METRICS_TOKEN: {
    parse: a.bearerToken,
    isSecret: true,
    about:
      'The bearer token for /metrics, at least 16 characters. Unset: /metrics responds to this machine only.',
  },
  SECURITY_CONTACT: {
    parse: a.contact,
    about:
      'Where weaknesses are reported: a mailto: or https: address (RFC 9116). Unset: there is no /.well-known/security.txt.',
  },
  IMAGE_ORIGINS: {
    parse: a.imageOrigins,
    default: 'https:',
    about:
      'Where covers may come from besides the store, separated by commas: https origins, or https: for any.',
  },
  MAIL_URL: {
    parse: a.mailServer,
    isSecret: true,
    about:
      'The SMTP server that sends receipts to buyers, and notices to the shop: smtp://user:password@mail.example or smtps://…. ' +
      'Unset: no mail. In demo mode mail is shown on the desk instead.',
  },
  MAIL_FROM: {
    parse: a.mailbox,
    about: 'The sender of receipts, which buyers answer, such as Shop <orders@shop.example>.',
  },
  MAIL_UNVERIFIED: {
    parse: onOrOff,
    default: 'off',
    about:
      'on: receipts also go to addresses that the identity provider does not call verified, such as those of Entra ID.',
  },
  DELIVERY: {
    parse: onOrOff,
    default: 'on',
    about:
      'off: the checkout does not ask where to send the book, for a shop that hands books over at the counter. The desk still ' +
      'shows and changes the addresses that orders have from before.',
  },
  WITHDRAWAL_DAYS: {
    parse: a.wholeNumber(0, 3_650),
    default: '14',
    about:
      'For so many days after an order was sent, and until it is sent, its buyer may withdraw on the screen of their orders. The law ' +
      'of the European Union counts 14 days from the receipt: add the days of the post. A receipt names them. An order keeps the days ' +
      'of its purchase. 0: nothing about it on the screens.',
  },
  SHOP_EMAIL: {
    parse: a.email,
    about:
      'Where customers write, such as service@shop.example: the receipt on the screen names it, and the page about withdrawals, for ' +
      'those who cannot sign in. Mail has MAIL_FROM instead. NODE_ENV=production needs it, unless WITHDRAWAL_DAYS is 0.',
  },
  SHOP_NOTE: {
    parse: a.text,
    about:
      'A line on delivery and payment on the page of each book and at its checkout, such as: Sent from Lisbon within two working days.',
  },
  WEBHOOK_URL: {
    parse: a.url,
    isSecret: true,
    about:
      'An https address that is told of each order, signed as Standard Webhooks says: docs/webhooks.md. Unset: none is.',
  },
  WEBHOOK_SECRET: {
    parse: a.webhookSecrets,
    isSecret: true,
    about:
      'whsec_ and the Base64 of 24 to 64 random bytes, with which the receiver checks the signature; two, separated by a comma, ' +
      'while one is replaced.',
  },
  WEBHOOK_PRIVATE: {
    parse: onOrOff,
    default: 'off',
    about: 'on: WEBHOOK_URL may lead to this machine or into a private network, also without TLS.',
  },
  LOG_LEVEL: {
    parse: a.choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    about:
      'fatal, error, warn, info, debug, trace or silent. warn logs failed requests, info changes and refused ones too, debug ' +
      'every request.',
  },
} as const satisfies Record<string, Setting>;

type Table = typeof settingsTable;
export type SettingName = keyof Table;
type Parsed<Name extends SettingName> = Exclude<ReturnType<Table[Name]['parse']>, undefined>;
/** Undefined only for a setting without a default. */
export type SettingValue<Name extends SettingName> = Table[Name] extends { default: string }
  ? Parsed<Name>
  : Parsed<Name> | undefined;

/** Every row with its name. */
export const settingRows: readonly (Setting & { name: SettingName })[] = Object.entries(settingsTable).map(
  // The keys of the table are the names.
  ([name, row]: [string, Setting]) => ({ ...row, name: name as SettingName }),
);

export const settingNames: readonly SettingName[] = settingRows.map(({ name }) => name);
export const secretNames: readonly SettingName[] = settingRows
  .filter(({ isSecret }) => isSecret)
  .map(({ name }) => name);

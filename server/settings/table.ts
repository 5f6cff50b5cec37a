/** The settings, each declared once. `.env.example` and docs/settings.md are written from them (table.test.ts). */

import { defaultCurrency } from '../../contract/price.ts';
import * as a from './parsers.ts';

type Setting<Value = unknown> = {
  parse: a.Parse<Value>;
  /** The default, as written in the environment. A setting without a default may be unset, or its default depends on others. */
  default?: string;
  /** True if a file may contain the value; `NAME_FILE` has the file's path. No message repeats the value. */
  isSecret?: true;
  /** The description for operators. */
  about: string;
};

const setting = <V>(parse: a.Parse<V>, about: string) => ({ parse, about });
const withDefault = <V>(parse: a.Parse<V>, usual: string, about: string) => ({
  parse,
  default: usual,
  about,
});
const secret = <V>(parse: a.Parse<V>, about: string) => ({ parse, about, isSecret: true as const });

const timeoutMs = a.wholeNumber(1, 600_000);
const port = a.wholeNumber(1, a.maxPort);

export const settingsTable = {
  // A closed list: a typo such as `prod` would look safe, but only `production` refuses demo mode.
  NODE_ENV: setting(a.choice('production', 'development', 'test'), 'production refuses demo mode.'),
  PORT: withDefault(port, '3000', 'The port that the store listens on.'),
  HOST: withDefault(a.text, '127.0.0.1', 'The address that the store listens on.'),
  PUBLIC_URL: setting(
    a.origin,
    'The address that browsers use, without a path. Unset: http://localhost with the PORT.',
  ),
  DATABASE_URL: {
    ...withDefault(
      a.database,
      'sqlite:data/colophon.db',
      'sqlite:<file>, from the folder of the start, or postgres://user:password@host:port/database, with ?sslmode=verify-full for ' +
        'a server on another machine.',
    ),
    isSecret: true,
  },
  DATABASE_DIRECT_URL: secret(
    a.postgresUrl,
    "The server's own address, if DATABASE_URL is that of a pooler in transaction mode.",
  ),
  DATABASE_POOL_SIZE: withDefault(a.wholeNumber(1, 1_000), '10', 'PostgreSQL: connections per node.'),
  DATABASE_CONNECT_TIMEOUT_MS: withDefault(timeoutMs, '2000', 'PostgreSQL: the wait for a connection.'),
  DATABASE_READ_TIMEOUT_MS: withDefault(timeoutMs, '2000', 'How long a read may take.'),
  DATABASE_STATEMENT_TIMEOUT_MS: withDefault(timeoutMs, '10000', 'How long any other statement may take.'),
  START_TIMEOUT_MS: withDefault(
    a.wholeNumber(0, 86_400_000),
    '60000',
    'How long a start waits for the database. 0: not at all.',
  ),
  STORE_NAME: withDefault(a.text, 'Colophon', 'The brand.'),
  CURRENCY: withDefault(
    a.currency,
    defaultCurrency,
    'The currency of all prices: its ISO 4217 code, such as EUR. A shop that has orders keeps it.',
  ),
  TIME_ZONE: withDefault(a.timeZone, 'UTC', 'The zone of the shop’s days and times, such as Europe/Berlin.'),
  OIDC_ISSUER: setting(a.url, 'The OpenID Connect provider. Unset: demo mode, on this machine only.'),
  OIDC_CLIENT_ID: setting(a.text, 'The store’s id at the provider.'),
  OIDC_CLIENT_SECRET: secret(a.text, 'The secret of that id.'),
  OIDC_PROVIDER_NAME: setting(a.text, 'The name on the sign-in button. Unset: the issuer’s host name.'),
  DEMO_IDENTITY_PORT: setting(port, 'The port of the demo provider. Unset: PORT + 1.'),
  DEMO_PAYMENTS: withDefault(
    a.onOrOff,
    'off',
    'on: in demo mode buyers pay made-up money on a page of the demo provider, whose /payments is the dashboard. A new start forgets the payments.',
  ),
  ADMIN_EMAILS: withDefault(
    a.emails,
    '',
    'Verified e-mails of admins, who may change the catalogue and use the desk, separated by commas. With ADMIN_CLAIM unset too, ' +
      'any signed-in user may change the catalogue, and only the demo has a desk.',
  ),
  ADMIN_CLAIM: setting(
    a.adminClaim,
    'A claim and its value, such as groups:shop-admins: customers who have it are admins too (docs/providers.md).',
  ),
  IMAGE_HOST_URL: setting(a.url, 'An imgbb-compatible image host. Unset: the store’s own.'),
  IMAGE_HOST_KEY: secret(a.text, 'Its key. It goes to the browsers of all who may add books.'),
  API_HOST: setting(a.origin, 'The origin of the API as browsers see it. Unset: that of the page.'),
  ALLOWED_ORIGINS: withDefault(a.origins, '', 'Other origins that may call the API, separated by commas.'),
  TRUST_PROXY: withDefault(
    a.networks,
    '',
    'Networks of proxies whose X-Forwarded headers count, in CIDR form, separated by commas: 127.0.0.1/32 for one on this machine.',
  ),
  RATE_LIMITS: withDefault(a.onOrOff, 'on', 'off, for benchmarks: no limits per client and account.'),
  MAX_CONNECTIONS: withDefault(a.wholeNumber(1, 1_000_000), '10000', 'Connections accepted at once.'),
  STOP_DELAY_MS: withDefault(
    a.wholeNumber(0, 600_000),
    '0',
    'How long the store serves on after a signal to stop: 5000 behind a load balancer.',
  ),
  METRICS_TOKEN: secret(a.bearerToken, 'For /metrics, which without it answers this machine only.'),
  VISITOR_METRICS: withDefault(
    a.onOrOff,
    'on',
    'off: the browsers of visitors do not report how fast the pages were for them (docs/monitoring.md).',
  ),
  SECURITY_CONTACT: setting(a.contact, 'Where to report weaknesses, for security.txt: mailto: or https:.'),
  IMAGE_ORIGINS: withDefault(
    a.imageOrigins,
    'https:',
    'Where covers may come from besides the store: https origins, separated by commas, or https: for any.',
  ),
  MAIL_URL: secret(
    a.mailServer,
    'The SMTP server: smtp://user:password@mail.example or smtps://…. Unset: no mail. In demo mode the desk shows the mail.',
  ),
  MAIL_FROM: setting(a.mailbox, 'The sender, whom buyers answer, such as Shop <orders@shop.example>.'),
  MAIL_UNVERIFIED: withDefault(
    a.onOrOff,
    'off',
    'on: receipts also go to addresses that the provider does not call verified, as with Entra ID.',
  ),
  ORDER_BUTTON: withDefault(
    a.shortText(60),
    'Checkout',
    'The words on the button that orders. The European Union asks for: Order with obligation to pay.',
  ),
  DELIVERY: withDefault(a.onOrOff, 'on', 'off: the checkout does not ask where to send the book.'),
  WITHDRAWAL_DAYS: withDefault(
    a.wholeNumber(0, 3_650),
    '14',
    'A buyer can withdraw for this many days after the order was sent (docs/owner.md). 0: nobody can, and no screen mentions it.',
  ),
  STRIPE_SECRET_KEY: secret(a.key, 'The key of a Stripe account: docs/payments.md.'),
  STRIPE_WEBHOOK_SECRET: secret(
    a.key,
    'That of the endpoint PUBLIC_URL/payments/stripe in Stripe’s dashboard.',
  ),
  MOLLIE_API_KEY: secret(a.key, 'The key of a Mollie account.'),
  PAYMENT_DAYS: withDefault(
    a.wholeNumber(1, 365),
    '7',
    'How many days an order can be paid, where there is a way to pay. Then it is cancelled.',
  ),
  SHOP_EMAIL: setting(
    a.email,
    'The address for customers, on receipts and on the page about withdrawals. NODE_ENV=production needs it, unless ' +
      'WITHDRAWAL_DAYS is 0.',
  ),
  SHOP_NOTE: setting(
    a.text,
    'A line on each book’s page and at its checkout, such as: Sent from Lisbon within two working days.',
  ),
  TRANSFER_IBAN: setting(a.iban, 'The account for transfers. Unset: the shop takes none.'),
  TRANSFER_NAME: setting(a.accountName, 'Its holder, exactly as the bank has it.'),
  TRANSFER_BIC: setting(a.bic, 'Its BIC. Banks in the European Economic Area need none.'),
  WEBHOOK_URL: secret(a.url, 'An https address that gets the events of orders: docs/mail-and-webhooks.md.'),
  WEBHOOK_SECRET: secret(
    a.webhookSecrets,
    'whsec_ and the Base64 of 24 to 64 random bytes; two, separated by a comma, while one is replaced.',
  ),
  WEBHOOK_PRIVATE: withDefault(a.onOrOff, 'off', 'on: WEBHOOK_URL may be in a private network, or http.'),
  LOG_LEVEL: withDefault(
    a.choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'fatal, error, warn (failed requests), info (changes and refusals too), debug (every request), trace or silent.',
  ),
} as const satisfies Record<string, Setting>;

type Table = typeof settingsTable;
export type SettingName = keyof Table;
type Parsed<Row> = Row extends { parse: a.Parse<infer Value> } ? Value : never;
export type SettingValue<Name extends SettingName> =
  | Parsed<Table[Name]>
  | (Table[Name] extends { default: string } ? never : undefined);

// The cast is right: the keys of the table are the names.
export const settingNames = Object.keys(settingsTable) as readonly SettingName[];
export const settingRow = (name: SettingName): Setting => settingsTable[name];
export const secretNames = settingNames.filter((name) => settingRow(name).isSecret);

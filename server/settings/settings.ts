/** The settings as the store uses them. Nothing else reads the environment. */

import { foldEmail } from '../../contract/email.ts';
import type { DatabaseSettings } from '../database/open.ts';
import { isLoopback } from '../http/loopback.ts';
import type { Mailbox } from '../mail/messages.ts';
import type { AdminClaim } from '../sign-in/admin-claim.ts';
import type { EndpointSettings } from '../webhooks/endpoint.ts';
import type { NameFault } from './names.ts';
import { maxPort } from './parsers.ts';
import { type Environment, openReader, type Reader, SettingsError } from './reader.ts';
import type { SettingValue } from './table.ts';

/** An OpenID Connect provider; `name` stands on the sign-in button. */
export type ExternalProvider = { issuer: string; clientId: string; clientSecret: string; name: string };

/** Customers sign in with the shop's own provider, or in demo mode with the one that the store starts itself. */
type IdentitySettings = { mode: 'external'; provider: ExternalProvider } | { mode: 'demo'; port: number };

type MailSettings = {
  /** The SMTP server: `smtp://` or `smtps://`, with a user and a password where it wants them. */
  url: URL;
  /** The sender of receipts, to which the shop's notices go too. */
  from: Mailbox;
  /** Receipts also go to addresses that the identity provider has not verified. */
  sendsUnverified: boolean;
};

export type Settings = {
  port: number;
  host: string;
  /** The origin that browsers use. */
  publicUrl: URL;
  database: DatabaseSettings;
  storeName: string;
  /** The zone of the shop's clocks, such as `Europe/Berlin`. */
  timeZone: string;
  identity: IdentitySettings;
  /** As `foldEmail` returns them. */
  adminEmails: readonly string[];
  /** Undefined, without `adminEmails` either: any signed-in user may change the catalogue (spec section 6). */
  adminClaim: AdminClaim | undefined;
  /** Undefined: the store's own `/1/upload`. */
  imageHost: { url: string; key: string } | undefined;
  /** The origin of the API; empty: the origin of the page. */
  apiHost: string;
  /** Other origins that may call the API with credentials. */
  allowedOrigins: readonly string[];
  /** Networks (CIDR) whose X-Forwarded headers are trusted. */
  trustedProxies: readonly string[];
  logLevel: SettingValue<'LOG_LEVEL'>;
  /** False for benchmarks, whose load comes from one client. */
  hasRateLimits: boolean;
  /** How many connections the server accepts at once. */
  maxConnections: number;
  /** How long the store goes on listening when it stops, while `/readyz` returns 503. */
  stopDelayMs: number;
  /** The bearer token for `/metrics`. Undefined: it responds to this machine only. */
  metricsToken: string | undefined;
  /** The contact for reports of weaknesses (RFC 9116, section 2.5.3): a `mailto:` or an `https:` address. */
  securityContact: string | undefined;
  /** The checkout asks where to send the book. */
  hasDelivery: boolean;
  /** For so many days after it was sent an order may be withdrawn; 0: not by its buyer. */
  withdrawalDays: number;
  /** Where customers write who cannot withdraw on the screen. */
  shopEmail: string | undefined;
  /** A line on delivery and payment, which the page of each book shows. */
  shopNote: string | undefined;
  /** Undefined: no mail is sent. */
  mail: MailSettings | undefined;
  /** Undefined: no other program is told of orders. */
  webhook: EndpointSettings | undefined;
  /** The places that covers may come from besides the store: origins, or the scheme `https:`. */
  imageOrigins: readonly string[];
  /** How long a start waits for a database that is not there yet, in milliseconds. */
  startTimeoutMs: number;
  /** NODE_ENV=development, as `npm run dev` sets it: the pages may be rebuilt at any time. */
  isDeveloping: boolean;
};

/**
 * Reads every setting from the environment and checks it.
 * @param env an empty or blank value counts as unset.
 * @param fileNames the names of `.env`, which must all be known.
 * @throws {SettingsError} with every wrong setting at once.
 */
export const readSettings = (env: Environment, fileNames: readonly string[] = []): Settings =>
  readWith(readAll, env, fileNames);

/** Reads the settings of the database alone, for a command beside the store. @throws {SettingsError} as readSettings. */
export const readDatabaseSettings = (env: Environment, fileNames: readonly string[] = []): DatabaseSettings =>
  readWith(readDatabase, env, fileNames);

/** Reads the settings of what a book's image may be, for a command beside the store. @throws {SettingsError} as readSettings. */
export const readImageSettings = (env: Environment): Pick<Settings, 'publicUrl' | 'imageOrigins'> =>
  readWith(
    (reader) => ({
      publicUrl: readAddresses(reader).publicUrl,
      imageOrigins: reader.value('IMAGE_ORIGINS'),
    }),
    env,
    [],
  );

/** Reads what the acts of the owner depend on, for a command beside the store. @throws {SettingsError} as readSettings. */
export const readShopSettings = (env: Environment) =>
  readWith(
    (reader) => ({
      publicUrl: readAddresses(reader).publicUrl,
      storeName: reader.value('STORE_NAME'),
      timeZone: reader.value('TIME_ZONE'),
      mail: readMail(reader),
      /** In demo mode none is sent. */
      sendsMail: readMail(reader) !== undefined && reader.value('OIDC_ISSUER') !== undefined,
      webhook: readWebhook(reader),
    }),
    env,
    [],
  );

/** A command refuses a misspelt name too: for DATABASE_URL its database would be another than the store's. */
function readWith<Result>(
  read: (reader: Reader) => Result,
  env: Environment,
  fileNames: readonly string[],
): Result {
  const reader = openReader(env, fileNames);
  const result = read(reader);
  if (reader.faults.length > 0) throw new SettingsError(reader.faults);
  return result;
}

/** @returns the settings, and what is wrong with them: a wrong one has its default. */
export function inspectSettings(
  env: Environment,
  fileNames: readonly string[],
): { settings: Settings; faults: NameFault[] } {
  const reader = openReader(env, fileNames);
  return { settings: readAll(reader), faults: reader.faults };
}

function readAll(reader: Reader): Settings {
  const { value } = reader;
  const addresses = readAddresses(reader);
  return {
    ...addresses,
    database: readDatabase(reader),
    storeName: value('STORE_NAME'),
    timeZone: value('TIME_ZONE'),
    identity: readIdentity(reader, addresses),
    adminEmails: value('ADMIN_EMAILS').map(foldEmail),
    adminClaim: value('ADMIN_CLAIM'),
    imageHost: readImageHost(reader),
    apiHost: value('API_HOST') ?? '',
    allowedOrigins: value('ALLOWED_ORIGINS'),
    trustedProxies: value('TRUST_PROXY'),
    logLevel: value('LOG_LEVEL'),
    hasRateLimits: value('RATE_LIMITS') === 'on',
    maxConnections: value('MAX_CONNECTIONS'),
    stopDelayMs: value('STOP_DELAY_MS'),
    metricsToken: value('METRICS_TOKEN'),
    securityContact: value('SECURITY_CONTACT'),
    imageOrigins: value('IMAGE_ORIGINS'),
    hasDelivery: value('DELIVERY') === 'on',
    ...readWithdrawal(reader),
    shopNote: value('SHOP_NOTE'),
    mail: readMail(reader),
    webhook: readWebhook(reader),
    startTimeoutMs: value('START_TIMEOUT_MS'),
    isDeveloping: value('NODE_ENV') === 'development',
  };
}

function readAddresses({ value }: Reader): Pick<Settings, 'port' | 'host' | 'publicUrl'> {
  const port = value('PORT');
  const publicUrl = new URL(value('PUBLIC_URL') ?? `http://localhost:${port}`);
  return { port, host: value('HOST'), publicUrl };
}

function readDatabase({ value, text, report }: Reader): DatabaseSettings {
  const database = value('DATABASE_URL');
  const poolSize = value('DATABASE_POOL_SIZE');
  const connectTimeoutMs = value('DATABASE_CONNECT_TIMEOUT_MS');
  const statementTimeoutMs = value('DATABASE_STATEMENT_TIMEOUT_MS');
  const readTimeoutMs = Math.min(value('DATABASE_READ_TIMEOUT_MS'), statementTimeoutMs);
  const longestRead = text('DATABASE_READ_TIMEOUT_MS');
  if (Number(longestRead) > statementTimeoutMs) {
    report(
      'DATABASE_READ_TIMEOUT_MS',
      `"${longestRead}" is not a whole number from 1 to ${statementTimeoutMs}`,
    );
  }
  const timeouts = { readTimeoutMs, statementTimeoutMs };
  const directUrl = value('DATABASE_DIRECT_URL');
  if (database.engine === 'postgres') {
    return { ...database, directUrl, poolSize, connectTimeoutMs, ...timeouts };
  }
  if (directUrl !== undefined) report('DATABASE_DIRECT_URL', 'is for a DATABASE_URL of PostgreSQL');
  return { ...database, ...timeouts };
}

/** Demo mode is exactly "OIDC_ISSUER is unset", and is refused wherever other machines could reach it. */
function readIdentity(
  reader: Reader,
  { port, host, publicUrl }: Pick<Settings, 'port' | 'host' | 'publicUrl'>,
): IdentitySettings {
  const { value, text, report } = reader;
  const issuer = value('OIDC_ISSUER');
  const demoPort = value('DEMO_IDENTITY_PORT') ?? Math.min(port + 1, maxPort);
  if (issuer) return { mode: 'external', provider: readProvider(reader, issuer) };

  // The demo provider gives no such claim.
  const providerNames = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'ADMIN_CLAIM'] as const;
  const causes: string[] = providerNames.filter((name) => text(name));
  if (text('NODE_ENV') === 'production') causes.push('NODE_ENV=production');
  if (!isLoopback(publicUrl.hostname)) causes.push('a PUBLIC_URL that is not loopback');
  // OIDC_ISSUER itself may be wrong, which is reported.
  if (causes.length > 0 && !text('OIDC_ISSUER')) {
    const demo = 'demo mode, where anyone can sign in as anyone, is refused';
    report('OIDC_ISSUER', `is needed with ${causes.join(', ')}: ${demo}`);
  }
  if (demoPort === port) report('DEMO_IDENTITY_PORT', 'must differ from PORT');
  if (!isLoopback(host)) {
    report('HOST', `"${host}" is not loopback, and demo mode (OIDC_ISSUER unset) listens on loopback only`);
  }
  return { mode: 'demo', port: demoPort };
}

function readProvider({ value, report }: Reader, issuer: URL): ExternalProvider {
  if (issuer.protocol === 'http:' && !isLoopback(issuer.hostname)) {
    report('OIDC_ISSUER', 'must be https, unless it is on this machine');
  }
  const required = (name: 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET'): string => {
    const given = value(name);
    if (!given) report(name, 'is needed with OIDC_ISSUER');
    return given ?? '';
  };
  return {
    issuer: issuer.href,
    clientId: required('OIDC_CLIENT_ID'),
    clientSecret: required('OIDC_CLIENT_SECRET'),
    name: value('OIDC_PROVIDER_NAME') ?? issuer.hostname,
  };
}

function readImageHost({ value, report }: Reader): Settings['imageHost'] {
  const url = value('IMAGE_HOST_URL');
  const key = value('IMAGE_HOST_KEY');
  if (url && !key) report('IMAGE_HOST_KEY', 'is needed with IMAGE_HOST_URL');
  if (!url && key) report('IMAGE_HOST_URL', 'is needed with IMAGE_HOST_KEY');
  return url && key ? { url: url.href, key } : undefined;
}

function readWithdrawal({ value, text, report }: Reader): Pick<Settings, 'withdrawalDays' | 'shopEmail'> {
  const withdrawalDays = value('WITHDRAWAL_DAYS');
  const isShop = text('NODE_ENV') === 'production';
  if (withdrawalDays > 0 && isShop && !text('SHOP_EMAIL')) {
    report(
      'SHOP_EMAIL',
      'is needed with NODE_ENV=production, unless WITHDRAWAL_DAYS is 0: customers who cannot sign in write there to withdraw',
    );
  }
  return { withdrawalDays, shopEmail: value('SHOP_EMAIL') };
}

function readMail({ value, text, report }: Reader): MailSettings | undefined {
  if (text('MAIL_URL') && !text('MAIL_FROM')) report('MAIL_FROM', 'is needed with MAIL_URL');
  if (text('MAIL_FROM') && !text('MAIL_URL')) report('MAIL_URL', 'is needed with MAIL_FROM');
  const from = value('MAIL_FROM');
  const url = value('MAIL_URL');
  const sendsUnverified = value('MAIL_UNVERIFIED') === 'on';
  return url && from ? { url, from, sendsUnverified } : undefined;
}

function readWebhook({ value, text, report }: Reader): Settings['webhook'] {
  if (text('WEBHOOK_URL') && !text('WEBHOOK_SECRET')) report('WEBHOOK_SECRET', 'is needed with WEBHOOK_URL');
  if (text('WEBHOOK_SECRET') && !text('WEBHOOK_URL')) report('WEBHOOK_URL', 'is needed with WEBHOOK_SECRET');
  const url = value('WEBHOOK_URL');
  const secrets = value('WEBHOOK_SECRET');
  const isPrivateAllowed = value('WEBHOOK_PRIVATE') === 'on';
  if (url?.protocol === 'http:' && !isPrivateAllowed) {
    report('WEBHOOK_URL', 'must be https, unless WEBHOOK_PRIVATE=on and it leads into a private network');
  }
  return url && secrets ? { url, secrets, isPrivateAllowed } : undefined;
}

/** The only reader of the environment. */

import { readFileSync, statSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { foldEmail, isPlainEmail } from '../contract/email.ts';
import type { DatabaseSettings } from './database/open.ts';
import { isLoopback } from './http/loopback.ts';
import { type MailSettings, readMailbox } from './mail/mail-settings.ts';
import { checkNames, type NameFault } from './setting-names.ts';
import { type AdminClaim, readAdminClaim } from './sign-in/admin-claim.ts';
import { hasNamedAdmins } from './sign-in/admins.ts';
import { StartError } from './start-error.ts';

/** An OpenID Connect provider; `name` stands on the sign-in button. */
export type ExternalProvider = { issuer: string; clientId: string; clientSecret: string; name: string };

/** Where customers sign in: with the shop's own provider, or in demo mode with the one that the store starts itself. */
export type IdentitySettings =
  | { mode: 'external'; provider: ExternalProvider }
  | { mode: 'demo'; port: number };

export type Settings = {
  port: number;
  host: string;
  /** The origin that browsers use. */
  publicUrl: URL;
  database: DatabaseSettings;
  storeName: string;
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
  logLevel: (typeof logLevels)[number];
  /** False for benchmarks, whose load comes from one client. */
  hasRateLimits: boolean;
  /** How many connections the server accepts at once. */
  maxConnections: number;
  /** How long the store goes on listening when it stops, while `/readyz` returns 503. */
  stopDelayMs: number;
  /** The bearer token for `/metrics`. Undefined: it responds to this machine only. */
  metricsToken: string | undefined;
  /** Where weaknesses are reported (RFC 9116, section 2.5.3): a `mailto:` or an `https:` address. */
  securityContact: string | undefined;
  /** Undefined: no mail is sent. */
  mail: MailSettings | undefined;
  /** Where covers may come from besides the store: origins, or the scheme `https:`. */
  imageOrigins: readonly string[];
  /** How long a start waits for a database that is not there yet, in milliseconds. */
  startTimeoutMs: number;
  /** NODE_ENV=development, as `npm run dev` sets it: the pages may be rebuilt at any time. */
  isDeveloping: boolean;
};

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** A closed list: a typo such as `prod` would look safe, but only `production` refuses demo mode. */
const environments = ['production', 'development', 'test'] as const;

/** Every name that is read, for `.env.example` and its test. */
export const settingNames = [
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URLS',
  'DATABASE_POOL_SIZE',
  'DATABASE_CONNECT_TIMEOUT_MS',
  'DATABASE_READ_TIMEOUT_MS',
  'DATABASE_STATEMENT_TIMEOUT_MS',
  'START_TIMEOUT_MS',
  'STORE_NAME',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_PROVIDER_NAME',
  'DEMO_IDENTITY_PORT',
  'ADMIN_EMAILS',
  'ADMIN_CLAIM',
  'IMAGE_HOST_URL',
  'IMAGE_HOST_KEY',
  'API_HOST',
  'ALLOWED_ORIGINS',
  'TRUST_PROXY',
  'LOG_LEVEL',
  'RATE_LIMITS',
  'MAX_CONNECTIONS',
  'STOP_DELAY_MS',
  'METRICS_TOKEN',
  'SECURITY_CONTACT',
  'IMAGE_ORIGINS',
  'MAIL_URL',
  'MAIL_FROM',
  'MAIL_UNVERIFIED',
  'NODE_ENV',
] as const;
type SettingName = (typeof settingNames)[number];

/** Each of them may be in a file instead, which `NAME_FILE` names. No message repeats their values. */
export const secretNames = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URLS',
  'OIDC_CLIENT_SECRET',
  'IMAGE_HOST_KEY',
  'METRICS_TOKEN',
  'MAIL_URL',
] as const satisfies readonly SettingName[];

const knownNames: ReadonlySet<string> = new Set([
  ...settingNames,
  ...secretNames.map((name) => `${name}_FILE`),
]);

/** The wrong settings of one start. The message has a line for each: `NAME: what is wrong`. */
export class SettingsError extends StartError {
  readonly faults: readonly string[];

  constructor(faults: readonly NameFault[]) {
    const lines = faults.map(({ name, message }) => `${name}: ${message}`);
    super(`The store does not start with these settings:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.faults = lines;
  }
}

/** Names and values, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads every setting from the environment and checks it.
 * @param env an empty or blank value counts as unset.
 * @param fileNames the names of `.env`, which must all be known.
 * @throws {SettingsError} with every wrong setting at once.
 */
export function readSettings(env: Environment, fileNames: readonly string[] = []): Settings {
  const { settings, faults } = inspectSettings(env, fileNames);
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
}

/** @returns the settings, and what is wrong with them: a wrong one has its default. */
export function inspectSettings(
  env: Environment,
  fileNames: readonly string[] = [],
): { settings: Settings; faults: NameFault[] } {
  const faults = nameFaults(env, fileNames);
  const reader = createReader(env, (name, message) => faults.push({ name, message }));
  const addresses = readAddresses(reader);
  const settings: Settings = {
    ...addresses,
    database: readDatabase(reader),
    storeName: reader.text('STORE_NAME') ?? 'Colophon',
    identity: readIdentity(reader, addresses),
    adminEmails: reader.list('ADMIN_EMAILS', isPlainEmail, 'an e-mail address').map(foldEmail),
    adminClaim: readClaim(reader),
    imageHost: readImageHost(reader),
    apiHost: reader.origin('API_HOST') ?? '',
    allowedOrigins: reader.list('ALLOWED_ORIGINS', isOrigin, 'an origin such as https://shop.example'),
    trustedProxies: reader.list('TRUST_PROXY', isCidr, 'a network in CIDR form such as 10.0.0.0/8'),
    logLevel: reader.choice('LOG_LEVEL', logLevels) ?? 'info',
    hasRateLimits: reader.choice('RATE_LIMITS', ['on', 'off']) !== 'off',
    maxConnections: reader.wholeNumber('MAX_CONNECTIONS', 10_000, 1, 1_000_000),
    stopDelayMs: reader.wholeNumber('STOP_DELAY_MS', 0, 0, 600_000),
    metricsToken: readMetricsToken(reader),
    securityContact: readSecurityContact(reader),
    imageOrigins: readImageOrigins(reader),
    mail: readMail(reader),
    startTimeoutMs: reader.wholeNumber('START_TIMEOUT_MS', 60_000, 0, 86_400_000),
    isDeveloping: reader.choice('NODE_ENV', environments) === 'development',
  };
  return { settings, faults };
}

/** Reads the settings of the database alone, for a command beside the store. @throws {SettingsError} as readSettings. */
export function readDatabaseSettings(env: Environment, fileNames: readonly string[] = []): DatabaseSettings {
  // A misspelt DATABASE_URL would be another database than the store's.
  const faults = nameFaults(env, fileNames);
  const database = readDatabase(createReader(env, (name, message) => faults.push({ name, message })));
  if (faults.length > 0) throw new SettingsError(faults);
  return database;
}

/** Reads the settings of what a book's image may be, for a command beside the store. @throws {SettingsError} as readSettings. */
export function readImageSettings(env: Environment): Pick<Settings, 'publicUrl' | 'imageOrigins'> {
  const faults: NameFault[] = [];
  const reader = createReader(env, (name, message) => faults.push({ name, message }));
  const { publicUrl } = readAddresses(reader);
  const imageOrigins = readImageOrigins(reader);
  if (faults.length > 0) throw new SettingsError(faults);
  return { publicUrl, imageOrigins };
}

const nameFaults = (env: Environment, fileNames: readonly string[]): NameFault[] =>
  checkNames(Object.keys(env), fileNames, knownNames).faults;

/** @returns a sentence for each name that looks like one of a setting, and may be another program's. */
export const nameWarnings = (env: Environment): string[] =>
  checkNames(Object.keys(env), [], knownNames).warnings.map(({ name, message }) => `${name} ${message}`);

type Report = (name: string, message: string) => void;
/** Reads settings by name, and reports invalid values. */
type Reader = ReturnType<typeof createReader>;

function createReader(env: Environment, onFault: Report) {
  // Read once, so that a fault of its file is reported once.
  const secrets = new Map<string, ReturnType<typeof readSecret>>();
  const text = (name: SettingName): string | undefined => {
    if (!secretNames.some((secret) => secret === name)) return env[name]?.trim() || undefined;
    const secret = secrets.get(name) ?? readSecret(env, name);
    if (!secrets.has(name) && secret.fault) onFault(`${name}_FILE`, secret.fault);
    secrets.set(name, secret);
    return secret.value;
  };
  const report: Report = (name, message) => {
    // That the setting is missing follows from the fault of its file.
    if (!secrets.get(name)?.fault) onFault(name, message);
  };
  const wholeNumber = (name: SettingName, fallback: number, min: number, max: number): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    report(name, `"${value}" is not a whole number from ${min} to ${max}`);
    return fallback;
  };
  const url = (name: SettingName): URL | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    const isHttp = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
    const hasFault = !isHttp || parsed.username || parsed.password || parsed.hash;
    if (parsed && !hasFault && isHostName(parsed.hostname)) return parsed;
    // Without the value, which may have a password or a key: faults are logged.
    const hasLogin = parsed?.username || parsed?.password;
    report(name, hasLogin ? 'must not contain a user or a password' : 'is not an http(s) address');
    return undefined;
  };
  const origin = (name: SettingName): string | undefined => {
    const parsed = url(name);
    if (!parsed) return undefined;
    if (parsed.pathname !== '/' || parsed.search) report(name, 'must be an origin, without a path');
    return parsed.origin;
  };
  const list = (name: SettingName, isValid: (item: string) => boolean, kind: string): string[] => {
    const items = (text(name) ?? '').split(/\s*,\s*/).filter((item) => item !== '');
    for (const item of items) {
      if (!isValid(item)) report(name, `${item.includes('://') ? 'an address' : `"${item}"`} is not ${kind}`);
    }
    return items;
  };
  const choice = <Value extends string>(name: SettingName, values: readonly Value[]): Value | undefined => {
    const value = text(name);
    const known = values.find((one) => one === value);
    if (value !== undefined && !known) report(name, `"${value}" is none of ${values.join(', ')}`);
    return known;
  };
  return { report, text, wholeNumber, url, origin, list, choice };
}

const maxSecretBytes = 64 * 1024;

/** The fault does not have the path of the file, which may be the secret itself in the wrong setting. */
function readSecret(env: Environment, name: SettingName): { value?: string | undefined; fault?: string } {
  const value = env[name]?.trim() || undefined;
  const file = env[`${name}_FILE`]?.trim();
  if (!file) return { value };
  if (value !== undefined) return { fault: `is set beside ${name}: unset one of them` };
  try {
    const stats = statSync(file);
    // A pipe would keep the start waiting, and a device may have no end.
    if (!stats.isFile()) return { fault: 'names what is no file' };
    if (stats.size > maxSecretBytes) return { fault: 'names a file of more than 64 KB' };
    const secret = readFileSync(file, 'utf8').replace(/^\uFEFF|[\r\n]+$/g, '');
    if (secret.trim() === '') return { fault: 'names a file that is empty' };
    if (/\p{Cc}/u.test(secret)) return { fault: 'names a file with control characters, or several lines' };
    return { value: secret };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { fault: `names a file that ${code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`}` };
  }
}

const maxPort = 65_535;

function readAddresses({ text, wholeNumber, origin }: Reader): Pick<Settings, 'port' | 'host' | 'publicUrl'> {
  const port = wholeNumber('PORT', 3000, 1, maxPort);
  return {
    port,
    host: text('HOST') ?? '127.0.0.1',
    publicUrl: new URL(origin('PUBLIC_URL') ?? `http://localhost:${port}`),
  };
}

/** `pg` reads a port from the query too, and waits for ever for one that is no number. */
function isPostgresUrl(url: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) return false;
  const port = new URL(url).searchParams.get('port') || '1';
  return /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= maxPort;
}

function readDatabase({ report, text, list, wholeNumber }: Reader): DatabaseSettings {
  const url = text('DATABASE_URL') ?? 'sqlite:data/colophon.db';
  const poolSize = wholeNumber('DATABASE_POOL_SIZE', 10, 1, 1_000);
  const connectTimeoutMs = wholeNumber('DATABASE_CONNECT_TIMEOUT_MS', 2_000, 1, 600_000);
  const statementTimeoutMs = wholeNumber('DATABASE_STATEMENT_TIMEOUT_MS', 10_000, 1, 600_000);
  const readTimeoutMs = wholeNumber(
    'DATABASE_READ_TIMEOUT_MS',
    Math.min(2_000, statementTimeoutMs),
    1,
    statementTimeoutMs,
  );
  const timeouts = { readTimeoutMs, statementTimeoutMs };
  const directUrl = text('DATABASE_DIRECT_URL');
  if (directUrl !== undefined && !isPostgresUrl(directUrl))
    report('DATABASE_DIRECT_URL', 'must be postgres://…');
  // Without the value, which has a password.
  const readUrls = list('DATABASE_READ_URLS', () => true, '');
  if (!readUrls.every(isPostgresUrl))
    report('DATABASE_READ_URLS', 'must be postgres://…, separated by commas');
  if (isPostgresUrl(url)) {
    return { engine: 'postgres', url, directUrl, readUrls, poolSize, connectTimeoutMs, ...timeouts };
  }
  if (directUrl !== undefined) report('DATABASE_DIRECT_URL', 'is for a DATABASE_URL of PostgreSQL');
  if (readUrls.length > 0) report('DATABASE_READ_URLS', 'is for PostgreSQL: SQLite has no replicas');
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : '';
  if (file === '')
    report('DATABASE_URL', 'must be sqlite:<file> or postgres://…, with a port from 1 to 65535');
  // Each connection would open a separate database.
  if (file === ':memory:') report('DATABASE_URL', 'must name a file');
  return { engine: 'sqlite', file, ...timeouts };
}

/** Demo mode is exactly "OIDC_ISSUER is unset", and is refused wherever other machines could reach it. */
function readIdentity(
  reader: Reader,
  { port, host, publicUrl }: Pick<Settings, 'port' | 'host' | 'publicUrl'>,
): IdentitySettings {
  const { report, text } = reader;
  const issuer = reader.url('OIDC_ISSUER');
  const demoPort = reader.wholeNumber('DEMO_IDENTITY_PORT', Math.min(port + 1, maxPort), 1, maxPort);
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

function readProvider({ report, text }: Reader, issuer: URL): ExternalProvider {
  if (issuer.protocol === 'http:' && !isLoopback(issuer.hostname)) {
    report('OIDC_ISSUER', 'must be https, unless it is on this machine');
  }
  const required = (name: 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET'): string => {
    const value = text(name);
    if (!value) report(name, 'is needed with OIDC_ISSUER');
    return value ?? '';
  };
  return {
    issuer: issuer.href,
    clientId: required('OIDC_CLIENT_ID'),
    clientSecret: required('OIDC_CLIENT_SECRET'),
    name: text('OIDC_PROVIDER_NAME') ?? issuer.hostname,
  };
}

function readClaim({ report, text }: Reader): AdminClaim | undefined {
  const setting = text('ADMIN_CLAIM');
  if (setting === undefined) return undefined;
  const claim = readAdminClaim(setting);
  if (!claim) report('ADMIN_CLAIM', `"${setting}" is not a claim and its value, such as groups:shop-admins`);
  return claim;
}

function readImageHost({ report, url, text }: Reader): Settings['imageHost'] {
  const hostUrl = url('IMAGE_HOST_URL');
  const key = text('IMAGE_HOST_KEY');
  if (hostUrl && !key) report('IMAGE_HOST_KEY', 'is needed with IMAGE_HOST_URL');
  if (!hostUrl && key) report('IMAGE_HOST_URL', 'is needed with IMAGE_HOST_KEY');
  return hostUrl && key ? { url: hostUrl.href, key } : undefined;
}

/** At least 16 characters of those that a bearer token may have (RFC 6750, section 2.1). */
function readMetricsToken({ report, text }: Reader): string | undefined {
  const token = text('METRICS_TOKEN');
  // Without the value: the log is no place for a secret.
  if (token && !/^[\w.~+/-]{16,}=*$/.test(token)) {
    report('METRICS_TOKEN', 'must have at least 16 letters, digits or any of -._~+/');
  }
  return token;
}

function readSecurityContact({ report, text }: Reader): string | undefined {
  const contact = text('SECURITY_CONTACT');
  const isAddress =
    contact?.startsWith('mailto:') === true
      ? isPlainEmail(contact.slice('mailto:'.length))
      : contact?.startsWith('https://') === true && URL.canParse(contact);
  if (contact && !isAddress) report('SECURITY_CONTACT', 'is not a mailto: or https: address');
  return contact;
}

function readImageOrigins({ list }: Reader): string[] {
  const isSource = (item: string) => item === 'https:' || (isOrigin(item) && item.startsWith('https://'));
  const origins = list(
    'IMAGE_ORIGINS',
    isSource,
    'an https origin in lower case without a path, such as https://covers.example',
  );
  return origins.length === 0 ? ['https:'] : origins;
}

function readMail({ report, text, choice }: Reader): MailSettings | undefined {
  const address = text('MAIL_URL');
  const sender = text('MAIL_FROM');
  if (address && !sender) report('MAIL_FROM', 'is needed with MAIL_URL');
  if (sender && !address) report('MAIL_URL', 'is needed with MAIL_FROM');
  const from = readMailbox(sender ?? '');
  if (sender && !from) report('MAIL_FROM', 'is not an address such as Shop <orders@shop.example>');
  const url = address && URL.canParse(address) ? new URL(address) : undefined;
  const isSmtp = url && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname);
  // Without the value, which has a password.
  if (address && (!isSmtp || url.search || url.hash)) {
    report(
      'MAIL_URL',
      'must be smtp://host or smtps://host, with user:password@ before the host and :port after it',
    );
  }
  if (url && !isPercentEncoded(url.username + url.password)) {
    report('MAIL_URL', 'has a % in its user or password that is not percent-encoded (%25)');
  }
  const sendsUnverified = choice('MAIL_UNVERIFIED', ['on', 'off']) === 'on';
  return url && from ? { url, from, sendsUnverified } : undefined;
}

const isPercentEncoded = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && new URL(text).origin === text && isHostName(new URL(text).hostname);

/** A URL may have a host with `;` or `*`, which mean something else in the pages' Content-Security-Policy. */
const isHostName = (hostname: string): boolean => /^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(hostname);

/**
 * @returns a sentence for each setting that a shop can run with but its owner should know of. Demo mode is reachable from
 * this machine only, so it has few.
 */
export function settingsWarnings(settings: Settings): string[] {
  const { identity, publicUrl, hasRateLimits, database } = settings;
  const warnings: string[] = [];
  if (!hasRateLimits) warnings.push('RATE_LIMITS is off: one client can overload the store.');
  const databaseUrls =
    database.engine === 'postgres'
      ? {
          DATABASE_URL: [database.url],
          DATABASE_DIRECT_URL: database.directUrl === undefined ? [] : [database.directUrl],
          DATABASE_READ_URLS: database.readUrls,
        }
      : {};
  for (const [name, urls] of Object.entries(databaseUrls)) {
    if (urls.every(isPrivateConnection)) continue;
    warnings.push(
      `${name} has no sslmode=verify-full: what is stored can be read and changed on the network.`,
    );
  }
  if (identity.mode === 'demo') return warnings;
  if (!hasNamedAdmins(settings)) {
    warnings.push(
      'ADMIN_EMAILS is unset, and so is ADMIN_CLAIM: any signed-in user may change the catalogue.',
    );
  }
  if (publicUrl.protocol === 'http:' && !isLoopback(publicUrl.hostname)) {
    warnings.push('PUBLIC_URL is http: sessions and orders can be read and changed on the network.');
  }
  return warnings;
}

/**
 * Whether what goes to PostgreSQL is safe from a network: the server is on this machine, or `pg` demands TLS and a valid
 * certificate. Of the other modes, some skip the check, and the rest change their meaning in `pg`'s next major version.
 */
function isPrivateConnection(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? hostname;
  // The second is the folder of a socket, which an address can only have percent-encoded.
  const isHere = host === '' || /^(\/|%2f)/i.test(host) || isLoopback(host);
  return isHere || searchParams.get('sslmode') === 'verify-full';
}

function isCidr(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}

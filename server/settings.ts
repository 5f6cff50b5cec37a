/** The only reader of the environment. */

import { BlockList, isIP } from 'node:net';
import type { DatabaseSettings } from './database/open.ts';

export type ExternalProvider = { issuer: string; clientId: string; clientSecret: string; name: string };

export type Settings = {
  port: number;
  host: string;
  publicUrl: URL;
  database: DatabaseSettings;
  storeName: string;
  /** Undefined: demo mode, the store brings its own provider and catalogue. */
  provider: ExternalProvider | undefined;
  demoIdentityPort: number;
  /** Lower-case. Empty: any signed-in user may change the catalogue (spec section 6). */
  adminEmails: readonly string[];
  /** Undefined: the store's own `/1/upload`. */
  imageHost: { url: string; key: string } | undefined;
  /** Empty: the origin that the page came from. */
  apiHost: string;
  allowedOrigins: readonly string[];
  /** Networks (CIDR) whose X-Forwarded headers are believed. */
  trustedProxies: readonly string[];
  logLevel: LogLevel;
  /** NODE_ENV=development, as `npm run dev` sets it: the pages may be built again at any time. */
  isDeveloping: boolean;
};

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A closed list: in `prod` one would believe to be safe from demo mode, which only `production` refuses. */
const environments: readonly string[] = ['production', 'development', 'test'];

/** The names that are read, for `.env.example` and its test. */
export const settingNames = [
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'DATABASE_URL',
  'DATABASE_POOL_SIZE',
  'DATABASE_CONNECT_TIMEOUT_MS',
  'DATABASE_STATEMENT_TIMEOUT_MS',
  'STORE_NAME',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_PROVIDER_NAME',
  'DEMO_IDENTITY_PORT',
  'ADMIN_EMAILS',
  'IMAGE_HOST_URL',
  'IMAGE_HOST_KEY',
  'API_HOST',
  'ALLOWED_ORIGINS',
  'TRUST_PROXY',
  'LOG_LEVEL',
  'NODE_ENV',
] as const;
type SettingName = (typeof settingNames)[number];

/** Every wrong setting of one start, a line each: `NAME: what is wrong`. */
export class SettingsError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The store does not start with these settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'SettingsError';
    this.faults = faults;
  }
}

/** @throws {SettingsError} naming every wrong setting at once. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const faults: string[] = [];
  const fault = (name: SettingName, message: string) => faults.push(`${name}: ${message}`);
  const read = (name: SettingName): string | undefined => env[name]?.trim() || undefined;

  const readNumber = (
    name: SettingName,
    otherwise: number,
    [least, most]: readonly [number, number],
  ): number => {
    const text = read(name);
    if (text === undefined) return otherwise;
    if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    fault(name, `"${text}" is not a whole number from ${least} to ${most}`);
    return otherwise;
  };
  const readPort = (name: SettingName, otherwise: number) => readNumber(name, otherwise, [1, 65_535]);
  const readUrl = (name: SettingName): URL | undefined => {
    const text = read(name);
    if (text === undefined) return undefined;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url && (url.protocol === 'https:' || url.protocol === 'http:') && !url.username && !url.hash) {
      return url;
    }
    fault(name, `"${text}" is not an http(s) address`);
    return undefined;
  };
  const readOrigin = (name: SettingName): string | undefined => {
    const url = readUrl(name);
    if (!url) return undefined;
    if (url.pathname !== '/' || url.search) fault(name, 'must be an origin, without a path');
    return url.origin;
  };
  const readList = (name: SettingName): string[] =>
    (read(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');

  const port = readPort('PORT', 3000);
  const publicUrl = new URL(readOrigin('PUBLIC_URL') ?? `http://localhost:${port}`);
  const demoIdentityPort = readPort('DEMO_IDENTITY_PORT', Math.min(port + 1, 65_535));

  const readDatabase = (): DatabaseSettings => {
    const url = read('DATABASE_URL') ?? 'sqlite:data/colophon.db';
    const poolSize = readNumber('DATABASE_POOL_SIZE', 10, [1, 1_000]);
    const connectTimeoutMs = readNumber('DATABASE_CONNECT_TIMEOUT_MS', 2_000, [1, 600_000]);
    const statementTimeoutMs = readNumber('DATABASE_STATEMENT_TIMEOUT_MS', 10_000, [1, 600_000]);
    if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) {
      return { engine: 'postgres', url, poolSize, connectTimeoutMs, statementTimeoutMs };
    }
    const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : '';
    if (file === '') fault('DATABASE_URL', 'must be sqlite:<file> or postgres://…');
    return { engine: 'sqlite', file };
  };
  const database = readDatabase();

  const adminEmails = readList('ADMIN_EMAILS').map((email) => email.toLowerCase());
  for (const email of adminEmails) {
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) fault('ADMIN_EMAILS', `"${email}" is not an e-mail address`);
  }

  const allowedOrigins = readList('ALLOWED_ORIGINS');
  for (const origin of allowedOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      fault('ALLOWED_ORIGINS', `"${origin}" is not an origin such as https://shop.example`);
    }
  }

  const trustedProxies = readList('TRUST_PROXY');
  for (const network of trustedProxies) {
    if (!isCidr(network))
      fault('TRUST_PROXY', `"${network}" is not a network in CIDR form such as 10.0.0.0/8`);
  }

  const logLevel = read('LOG_LEVEL') ?? 'info';
  if (!isLogLevel(logLevel)) fault('LOG_LEVEL', `"${logLevel}" is none of ${logLevels.join(', ')}`);

  const apiHost = readOrigin('API_HOST') ?? '';
  const imageHostUrl = readUrl('IMAGE_HOST_URL');
  const imageHostKey = read('IMAGE_HOST_KEY');
  if (imageHostUrl && !imageHostKey) fault('IMAGE_HOST_KEY', 'is needed with IMAGE_HOST_URL');
  if (!imageHostUrl && imageHostKey) fault('IMAGE_HOST_URL', 'is needed with IMAGE_HOST_KEY');

  const issuer = readUrl('OIDC_ISSUER');
  const clientId = read('OIDC_CLIENT_ID');
  const clientSecret = read('OIDC_CLIENT_SECRET');
  const providerName = read('OIDC_PROVIDER_NAME');
  if (issuer) {
    if (issuer.protocol === 'http:' && !isLoopback(issuer.hostname)) {
      fault('OIDC_ISSUER', 'must be https, other than on this machine');
    }
    if (!clientId) fault('OIDC_CLIENT_ID', 'is needed with OIDC_ISSUER');
    if (!clientSecret) fault('OIDC_CLIENT_SECRET', 'is needed with OIDC_ISSUER');
  } else {
    for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const) {
      if (read(name)) fault('OIDC_ISSUER', `is needed with ${name}`);
    }
    const demo =
      'is needed: without it the store runs in demo mode, where anybody may sign in as anyone, which is refused';
    if (read('NODE_ENV') === 'production') fault('OIDC_ISSUER', `${demo} with NODE_ENV=production`);
    if (!isLoopback(publicUrl.hostname))
      fault('OIDC_ISSUER', `${demo} with a PUBLIC_URL that is not loopback`);
    if (demoIdentityPort === port) fault('DEMO_IDENTITY_PORT', 'must differ from PORT');
  }
  const environment = read('NODE_ENV');
  if (environment !== undefined && !environments.includes(environment)) {
    fault('NODE_ENV', `"${environment}" is none of ${environments.join(', ')}`);
  }
  const host = read('HOST') ?? '127.0.0.1';
  if (!issuer && !isLoopback(host)) {
    fault('HOST', `"${host}" is not loopback, and demo mode (OIDC_ISSUER unset) listens on loopback only`);
  }

  if (faults.length > 0) throw new SettingsError(faults);
  return {
    port,
    host,
    publicUrl,
    database,
    storeName: read('STORE_NAME') ?? 'Colophon',
    provider:
      issuer && clientId && clientSecret
        ? { issuer: issuer.href, clientId, clientSecret, name: providerName ?? issuer.hostname }
        : undefined,
    demoIdentityPort,
    adminEmails,
    imageHost: imageHostUrl && imageHostKey ? { url: imageHostUrl.href, key: imageHostKey } : undefined,
    apiHost,
    allowedOrigins,
    trustedProxies,
    logLevel: isLogLevel(logLevel) ? logLevel : 'info',
    isDeveloping: environment === 'development',
  };
}

/** What a shop can run with, and its owner should know. Demo mode is on this machine only and needs no warning. */
export function settingsWarnings({ provider, adminEmails, publicUrl }: Settings): string[] {
  if (!provider) return [];
  const warnings: string[] = [];
  if (adminEmails.length === 0) {
    warnings.push('ADMIN_EMAILS is unset: whoever signs in may change the catalogue.');
  }
  if (publicUrl.protocol === 'http:' && !isLoopback(publicUrl.hostname)) {
    warnings.push('PUBLIC_URL is http: sessions and orders can be read and changed on their way.');
  }
  return warnings;
}

/** Whether a host name or address never leaves this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    hostname === '::1' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
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

const isLogLevel = (text: string): text is LogLevel => (logLevels as readonly string[]).includes(text);

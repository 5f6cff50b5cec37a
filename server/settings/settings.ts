/** The settings as the store uses them. Nothing else reads the environment. */

import { foldEmail } from '../../contract/email.ts';
import { isLoopback } from '../http/loopback.ts';
import type { MollieKeys } from '../payments/mollie.ts';
import type { StripeKeys } from '../payments/stripe.ts';
import { maxPort } from './parsers.ts';
import { type Environment, Reader, SettingsError } from './reader.ts';
import type { SettingName } from './table.ts';

export type Settings = ReturnType<typeof readAll>;

export type Sender = Settings['sender'];

/** An OpenID Connect provider; `name` is shown on the sign-in button. */
export type ExternalProvider = ReturnType<typeof readProvider>;

/** @returns a function that reads the settings of the whole store, or of a part of it. Both refuse misspelt names. */
const reading =
  <Result>(read: (reader: Reader) => Result) =>
  /** @param fileNames the names of `.env`. @throws {SettingsError} with every wrong setting at once. */
  (env: Environment, fileNames: readonly string[] = []): Result => {
    const reader = new Reader(env, fileNames);
    const result = read(reader);
    if (reader.faults.length > 0) throw new SettingsError(reader.faults);
    return result;
  };

export const readSettings = reading(readAll);
export const readDatabaseSettings = reading(readDatabase);
export const readShopSettings = reading(readShop);

/** @returns the settings, and what is wrong with them: a wrong setting has its default. */
export function inspectSettings(env: Environment, fileNames: readonly string[]) {
  const reader = new Reader(env, fileNames);
  return { settings: readAll(reader), faults: reader.faults };
}

function readAll(reader: Reader) {
  const database = readDatabase(reader);
  const identity = readIdentity(reader, readAddresses(reader));
  return {
    ...readShop(reader),
    database,
    identity,
    isDemo: identity.mode === 'demo',
    adminEmails: reader.value('ADMIN_EMAILS').map(foldEmail),
    adminClaim: reader.value('ADMIN_CLAIM'),
    imageHost: readImageHost(reader),
    apiHost: reader.value('API_HOST') ?? '',
    allowedOrigins: reader.value('ALLOWED_ORIGINS'),
    trustedProxies: reader.value('TRUST_PROXY'),
    logLevel: reader.value('LOG_LEVEL'),
    hasRateLimits: reader.value('RATE_LIMITS'),
    maxConnections: reader.value('MAX_CONNECTIONS'),
    stopDelayMs: reader.value('STOP_DELAY_MS'),
    metricsToken: reader.value('METRICS_TOKEN'),
    measuresVisitors: reader.value('VISITOR_METRICS'),
    securityContact: reader.value('SECURITY_CONTACT'),
    orderButton: reader.value('ORDER_BUTTON'),
    hasDelivery: reader.value('DELIVERY'),
    ...readWithdrawal(reader),
    shopNote: reader.value('SHOP_NOTE'),
    startTimeoutMs: reader.value('START_TIMEOUT_MS'),
    isDeveloping: reader.value('NODE_ENV') === 'development',
  };
}

/** The settings that the acts of the owner need. */
function readShop(reader: Reader) {
  const addresses = readAddresses(reader);
  const storeName = reader.value('STORE_NAME');
  const currency = reader.value('CURRENCY');
  const timeZone = reader.value('TIME_ZONE');
  const mail = readMail(reader);
  const { transfer, payments } = readPayments(reader, addresses);
  // Without MAIL_FROM, the desk shows mail, but none is sent.
  const from = mail?.from ?? { name: storeName, address: `orders@${addresses.publicUrl.hostname}` };
  return {
    ...addresses,
    storeName,
    currency,
    timeZone,
    imageOrigins: reader.value('IMAGE_ORIGINS'),
    mail,
    sender: { storeName, timeZone, publicUrl: addresses.publicUrl, from, ...(transfer && { transfer }) },
    /** Demo mode sends no mail. */
    sendsMail: mail !== undefined && reader.value('OIDC_ISSUER') !== undefined,
    webhook: readWebhook(reader),
    transfer,
    payments,
  };
}

function readAddresses(reader: Reader) {
  const port = reader.value('PORT');
  const publicUrl = new URL(reader.value('PUBLIC_URL') ?? `http://localhost:${port}`);
  return { port, host: reader.value('HOST'), publicUrl };
}

function readDatabase(reader: Reader) {
  const database = reader.value('DATABASE_URL');
  const poolSize = reader.value('DATABASE_POOL_SIZE');
  const connectTimeoutMs = reader.value('DATABASE_CONNECT_TIMEOUT_MS');
  const statementTimeoutMs = reader.value('DATABASE_STATEMENT_TIMEOUT_MS');
  const readTimeoutMs = Math.min(reader.value('DATABASE_READ_TIMEOUT_MS'), statementTimeoutMs);
  const longest = reader.text('DATABASE_READ_TIMEOUT_MS');
  if (Number(longest) > statementTimeoutMs)
    reader.report('DATABASE_READ_TIMEOUT_MS', `"${longest}" is above DATABASE_STATEMENT_TIMEOUT_MS`);
  const timeouts = { readTimeoutMs, statementTimeoutMs };
  const directUrl = reader.value('DATABASE_DIRECT_URL');
  if (database.engine === 'postgres')
    return { ...database, directUrl, poolSize, connectTimeoutMs, ...timeouts };
  if (directUrl !== undefined) reader.report('DATABASE_DIRECT_URL', 'is for a DATABASE_URL of PostgreSQL');
  return { ...database, ...timeouts };
}

const readDemoPort = (reader: Reader, port: number): number =>
  reader.value('DEMO_IDENTITY_PORT') ?? Math.min(port + 1, maxPort);

/** Every node has these keys, because it may use another node's provider. They protect made-up money. */
export const demoPaymentKeys = { secretKey: 'sk_test_demo', webhookSecret: 'whsec_demo' };

/** The demo's payment provider has the address of its identity provider. */
function readDemoPayments(reader: Reader, { port, publicUrl }: ReturnType<typeof readAddresses>) {
  if (!reader.value('DEMO_PAYMENTS')) return undefined;
  if (reader.text('OIDC_ISSUER')) reader.report('DEMO_PAYMENTS', 'is for demo mode: OIDC_ISSUER is set');
  if (reader.text('STRIPE_SECRET_KEY'))
    reader.report('DEMO_PAYMENTS', 'takes the place of Stripe: STRIPE_SECRET_KEY is set');
  return {
    ...demoPaymentKeys,
    apiUrl: new URL(`http://${publicUrl.hostname}:${readDemoPort(reader, port)}`),
  };
}

/** Demo mode is exactly "OIDC_ISSUER is unset", and is refused wherever other machines could reach it. */
function readIdentity(reader: Reader, { port, host, publicUrl }: ReturnType<typeof readAddresses>) {
  const issuer = reader.value('OIDC_ISSUER');
  const demoPort = readDemoPort(reader, port);
  if (issuer) return { mode: 'external' as const, provider: readProvider(reader, issuer) };

  // The demo's provider sends no such claim.
  const providerNames = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'ADMIN_CLAIM'] as const;
  const causes: string[] = providerNames.filter((name) => reader.text(name));
  if (reader.text('NODE_ENV') === 'production') causes.push('NODE_ENV=production');
  if (!isLoopback(publicUrl.hostname)) causes.push('a PUBLIC_URL that is not loopback');
  // A wrong OIDC_ISSUER is reported separately.
  if (causes.length > 0 && !reader.text('OIDC_ISSUER')) {
    const demo = 'demo mode, where anyone can sign in as anyone, is refused';
    reader.report('OIDC_ISSUER', `is needed with ${causes.join(', ')}: ${demo}`);
  }
  if (demoPort === port) reader.report('DEMO_IDENTITY_PORT', 'must differ from PORT');
  if (!isLoopback(host))
    reader.report('HOST', `"${host}" is not loopback, and demo mode (OIDC_ISSUER unset) listens there only`);
  return { mode: 'demo' as const, port: demoPort };
}

function readProvider(reader: Reader, issuer: URL) {
  if (issuer.protocol === 'http:' && !isLoopback(issuer.hostname))
    reader.report('OIDC_ISSUER', 'must be https, unless it is on this machine');
  needTogether(reader, 'OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET');
  return {
    issuer: issuer.href,
    clientId: reader.value('OIDC_CLIENT_ID') ?? '',
    clientSecret: reader.value('OIDC_CLIENT_SECRET') ?? '',
    name: reader.value('OIDC_PROVIDER_NAME') ?? issuer.hostname,
  };
}

/** Reports settings that are unset although another setting needs them. */
function needTogether(reader: Reader, ...names: readonly SettingName[]): void {
  const given = names.find((name) => reader.text(name));
  const missing = given ? names.filter((name) => !reader.text(name)) : [];
  for (const name of missing) reader.report(name, `is needed with ${given}`);
}

function readImageHost(reader: Reader) {
  needTogether(reader, 'IMAGE_HOST_URL', 'IMAGE_HOST_KEY');
  const url = reader.value('IMAGE_HOST_URL')?.href;
  const key = reader.value('IMAGE_HOST_KEY');
  return url && key ? { url, key } : undefined;
}

function readWithdrawal(reader: Reader) {
  const withdrawalDays = reader.value('WITHDRAWAL_DAYS');
  if (withdrawalDays > 0 && reader.text('NODE_ENV') === 'production' && !reader.text('SHOP_EMAIL')) {
    const need = 'is needed with NODE_ENV=production, unless WITHDRAWAL_DAYS is 0';
    reader.report('SHOP_EMAIL', `${need}: customers who cannot sign in write there to withdraw`);
  }
  return { withdrawalDays, shopEmail: reader.value('SHOP_EMAIL') };
}

function readTransfer(reader: Reader) {
  needTogether(reader, 'TRANSFER_IBAN', 'TRANSFER_NAME');
  const iban = reader.value('TRANSFER_IBAN');
  const name = reader.value('TRANSFER_NAME');
  const bic = reader.value('TRANSFER_BIC');
  if (bic && !iban) reader.report('TRANSFER_IBAN', 'is needed with TRANSFER_BIC');
  return iban && name ? { iban, name, ...(bic && { bic }) } : undefined;
}

/** @returns the ways to pay, in the order in which they are offered, and how long an order may be unpaid. */
function readPayments(reader: Reader, addresses: ReturnType<typeof readAddresses>) {
  const transfer = readTransfer(reader);
  needTogether(reader, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET');
  const secretKey = reader.value('STRIPE_SECRET_KEY');
  const webhookSecret = reader.value('STRIPE_WEBHOOK_SECRET');
  const apiKey = reader.value('MOLLIE_API_KEY');
  const ofStripe = secretKey && webhookSecret ? { secretKey, webhookSecret } : undefined;
  const days = reader.value('PAYMENT_DAYS');
  const stripe: StripeKeys | undefined = readDemoPayments(reader, addresses) ?? ofStripe;
  const mollie: MollieKeys | undefined = apiKey ? { apiKey } : undefined;
  const ways = Object.entries({ transfer, stripe, mollie }).flatMap(([way, keys]) => (keys ? [way] : []));
  return { transfer, payments: { ways, days, ...(stripe && { stripe }), ...(mollie && { mollie }) } };
}

function readMail(reader: Reader) {
  needTogether(reader, 'MAIL_URL', 'MAIL_FROM');
  const from = reader.value('MAIL_FROM');
  const url = reader.value('MAIL_URL');
  const sendsUnverified = reader.value('MAIL_UNVERIFIED');
  return url && from ? { url, from, sendsUnverified } : undefined;
}

function readWebhook(reader: Reader) {
  needTogether(reader, 'WEBHOOK_URL', 'WEBHOOK_SECRET');
  const url = reader.value('WEBHOOK_URL');
  const secrets = reader.value('WEBHOOK_SECRET');
  const isPrivateAllowed = reader.value('WEBHOOK_PRIVATE');
  if (url?.protocol === 'http:' && !isPrivateAllowed)
    reader.report('WEBHOOK_URL', 'must be https, unless WEBHOOK_PRIVATE=on and its network is private');
  return url && secrets ? { url, secrets, isPrivateAllowed } : undefined;
}

/** The real app in the test's process, on a real database and a real port. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { centsToAmount } from '../../contract/money.ts';
import { paths } from '../../contract/paths.ts';
import { buildApp } from '../app.ts';
import { type Database, type DatabaseSettings, openDatabase } from '../database/open.ts';
import type { ConnectionTimeouts } from '../http/connections.ts';
import { openLog } from '../http/log.ts';
import { type Mail, unsentMail } from '../mail/mail.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import type { Identity } from '../sign-in/identity.ts';
import { type SignInProvider, signInProvider } from '../sign-in/provider.ts';
import { sessionCookieName } from '../sign-in/session-cookie.ts';
import { startSession } from '../sign-in/sessions.ts';
import { noWebhooks, type Webhooks } from '../webhooks/sender.ts';
import { recordAnswers } from './answers.ts';
import { endsWithTest, makeFolder } from './ends-with-test.ts';
import { createStoreDatabase, emptyTables, latest } from './test-database.ts';

export type TestStore = {
  app: FastifyInstance;
  database: Database;
  /** Opens the same database again, as a second process would. */
  openDatabaseAgain(): Promise<Database>;
  origin: string;
  pagesFolder: string;
  /** Sends a request to the store. Redirects are not followed. */
  call(path: string, init?: CallInit): Promise<Response>;
  /** Signs a customer in. @returns the value of the Cookie header. */
  signIn(identity?: Partial<Identity>): Promise<string>;
  /** Closes the store; a second call is allowed. */
  close(): Promise<void>;
};

export type CallInit = RequestInit & {
  json?: unknown;
  cookie?: string;
};

/** Settings that differ from the defaults. */
export type TestStoreOptions = {
  settings?: Partial<Settings>;
  /** The contents of files of the built pages, by their names. */
  builtFiles?: Readonly<Record<string, string>>;
  storeName?: string;
  apiHost?: string;
  /** The database. Unset: a new one, which is removed with the store. */
  database?: DatabaseSettings;
  provider?: SignInProvider;
  /** Mail. Unset: the store sends none. */
  mail?: Mail;
  /** Webhooks. Unset: the store sends none. */
  webhooks?: Webhooks;
  timeouts?: Partial<ConnectionTimeouts>;
  /** The fraction of each rate limit that applies. */
  limitScale?: number;
  isDeveloping?: boolean;
  /** Called with each line of the log from `logLevel` up, by default `info`. */
  onLog?: (line: string) => void;
  logLevel?: 'warn' | 'info' | 'trace';
};

/** The customer that `signIn` signs in by default. */
export const reader: Identity = {
  issuer: 'https://identity.example',
  sub: 'reader',
  email: 'reader@example.com',
  isEmailVerified: true,
  name: 'A Reader',
  photo: '',
};

/** A book as the queries take it. */
export const emma = {
  title: 'Emma',
  author: 'Jane Austen',
  image: 'https://covers.example/emma.jpg',
  priceCents: 1299,
};
/** The same book as an admin sends it. */
export const emmaSent = {
  title: emma.title,
  author: emma.author,
  image: emma.image,
  price: { value: '12.99' },
};

/** @returns the JSON of an order by this customer, as the checkout sends it. */
export const orderOf = (
  { title, author, priceCents }: { title: string; author: string; priceCents: number },
  email = reader.email,
) => ({ title, author, price: centsToAmount(priceCents), email, time: new Date().toDateString() });

/** The `index.html` of the test's built pages. */
export const testPage = `<!doctype html><head><title></title>
<script type="application/json" id="store-config"></script></head><div id="root"></div><noscript></noscript><script type="module" src="/assets/home-abc123.js"></script>`;

/** Starts the app, with tiny built pages and without the demo, until the test ends. */
export async function openTestStore(options: TestStoreOptions = {}): Promise<TestStore> {
  const folder = await makeFolder();
  const pagesFolder = join(folder, 'pages');
  const files = {
    'index.html': testPage,
    'desk.html': testPage.replace('home-abc123', 'desk-abc123'),
    'assets/home-abc123.js': 'export {};',
    ...options.builtFiles,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(pagesFolder, name)), { recursive: true });
    await writeFile(join(pagesFolder, name), text);
  }
  const { settings, remove } = options.database
    ? { settings: options.database, remove() {} }
    : await createStoreDatabase();
  const database = await openDatabase(settings);
  const publicUrl = options.settings?.publicUrl ?? new URL('http://localhost:3000');
  const from = { name: '', address: 'orders@shop.example' };
  // Nothing listens on port 1, so discovery fails at once.
  const client = { issuer: 'http://127.0.0.1:1', clientId: 'colophon', clientSecret: 'secret' };
  const callbackUrl = new URL(paths.signInCallback, publicUrl);
  const provider = options.provider ?? signInProvider({ ...client, callbackUrl });
  const app = await buildApp({
    database,
    provider,
    providerName: 'Example',
    mail: options.mail ?? unsentMail('off', { storeName: 'Colophon', timeZone: 'UTC', publicUrl, from }),
    webhooks: options.webhooks ?? noWebhooks,
    settings: {
      ...readSettings({}),
      isDemo: false,
      ...(options.storeName !== undefined && { storeName: options.storeName }),
      ...(options.apiHost !== undefined && { apiHost: options.apiHost }),
      ...options.settings,
    },
    pages: { folder: pagesFolder, isRebuilt: options.isDeveloping ?? false },
    timeouts: options.timeouts ?? {},
    limitScale: options.limitScale,
    log: options.onLog ? openLog(options.logLevel ?? 'info', { write: options.onLog }) : openLog('silent'),
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  recordAnswers(app, process.env['ANSWERS_FILE']);
  const { port } = app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  let closing: Promise<void> | undefined;
  const close = async () => {
    await app.close();
    await database.close();
    await remove();
    await rm(folder, { recursive: true });
  };
  const store: TestStore = {
    app,
    database,
    async openDatabaseAgain() {
      const other = await openDatabase(settings);
      endsWithTest(other.close);
      return other;
    },
    origin,
    pagesFolder,
    call(path, { json, cookie, headers, ...init } = {}) {
      const allHeaders = new Headers(headers);
      if (cookie !== undefined) allHeaders.set('cookie', cookie);
      if (json !== undefined) allHeaders.set('content-type', 'application/json');
      const sent = json === undefined ? {} : { method: init.method ?? 'POST', body: JSON.stringify(json) };
      return fetch(origin + path, { redirect: 'manual', ...init, headers: allHeaders, ...sent });
    },
    async signIn(identity) {
      const issuedBy = { providerIssuer: provider.issuer };
      const { sessionId } = await startSession(database.db, { ...reader, ...identity }, issuedBy);
      return `${sessionCookieName({ isSecure: publicUrl.protocol === 'https:' })}=${sessionId}`;
    },
    close: () => (closing ??= close()),
  };
  endsWithTest(store.close);
  return store;
}

/** Opens one store for all tests of the file, which is faster than one for each. */
export function shareTestStore(options: TestStoreOptions = {}): TestStore {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await openTestStore(options);
  });
  afterAll(() => opened.close());
  return latest(() => opened);
}

/** Like {@link shareTestStore}, with empty tables before each test. Rate limits apply only if `options` say so. */
export function setUpTestStore({ settings, ...options }: TestStoreOptions = {}): TestStore {
  const store = shareTestStore({ ...options, settings: { hasRateLimits: false, ...settings } });
  beforeEach(() => emptyTables(store.database));
  return store;
}

/** The address of the next page, in the Link header. */
export const nextPage = ({ headers }: Response): string =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';

/** @returns true if a line of the log has an error with its stack. */
export const hasStack = (line: string): boolean =>
  'err' in JSON.parse(line) || /\n\s+at |\\n\s+at /.test(line);

/** @returns the JSON of the response. Fails the test when its status is another. */
export async function readJson<Body>(response: Response, status = 200): Promise<Body> {
  const body = await response.json();
  expect({ status: response.status, body }).toMatchObject({ status });
  return body as Body;
}

/**
 * `npm run release:database`: keeps a small database of this version for the tests of later ones. It is filled by the store's own
 * code on SQLite, moved to PostgreSQL, and stored with the responses that this version gives for it
 * (server/database/released.test.ts).
 */

import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { deskPaths } from '../../contract/desk-paths.ts';
import { paths } from '../../contract/paths.ts';
import { createToken } from '../../server/access/tokens.ts';
import type { Actor } from '../../server/activity/activity.ts';
import { buildApp } from '../../server/app.ts';
import { addBook, removeBook } from '../../server/catalogue/books.ts';
import { editBook } from '../../server/catalogue/edit-book.ts';
import { blockCustomer } from '../../server/customers/customers.ts';
import { eraseCustomer } from '../../server/customers/erase-customer.ts';
import { copyToPostgres } from '../../server/database/copy/copy-to-postgres.ts';
import { type Database, openDatabase } from '../../server/database/open.ts';
import type { Db } from '../../server/database/tables.ts';
import { openLog } from '../../server/http/log.ts';
import { convertUpload } from '../../server/images/convert-upload.ts';
import { storeUpload } from '../../server/images/images.ts';
import { unsentMail } from '../../server/mail/mail.ts';
import { markOrders } from '../../server/orders/desk-orders.ts';
import { placeOrder } from '../../server/orders/orders.ts';
import { rollUpSales } from '../../server/orders/sales.ts';
import { readDatabaseSettings } from '../../server/settings.ts';
import type { Identity } from '../../server/sign-in/identity.ts';
import { signInProvider } from '../../server/sign-in/provider.ts';
import { sessionCookieName } from '../../server/sign-in/session-cookie.ts';
import { startSession } from '../../server/sign-in/sessions.ts';
import { findPostgresFolder } from '../../server/testing/postgres-programs.ts';
import { createPostgresDatabase, startPostgres } from '../../server/testing/postgres-server.ts';
import type { RecordedRequest, Release } from '../../server/testing/release.ts';
import { flag, readOptions } from '../options.ts';

const options = readOptions(
  'npm run release:database',
  'Keeps a small database of this version, of either engine, for the tests of later versions.',
  { force: flag('replace the one that is kept already') },
);

const root = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const kept = join(root, 'server', 'database', 'fixtures', version);
if (existsSync(kept) && !options.force) {
  console.error(`A database of ${version} is kept already. --force replaces it.`);
  process.exit(1);
}

const issuer = 'https://identity.example';
const identityOf = (sub: string, name: string): Identity => ({
  issuer,
  sub,
  email: `${sub}@example.com`,
  isEmailVerified: true,
  name,
  photo: '',
});
const keeper = identityOf('keeper', 'Kim Keeper');
const reader = identityOf('reader', '紅 Reader');

const folder = await mkdtemp(join(tmpdir(), 'colophon-release-'));
try {
  const sqliteUrl = `sqlite:${join(folder, 'store.db')}`;
  const release = await fill(sqliteUrl);
  await mkdir(kept, { recursive: true });
  await writeFile(join(kept, 'postgres.sql'), await dumpOnPostgres(sqliteUrl));
  // The log of SQLite is empty once the last connection is closed.
  await writeFile(join(kept, 'sqlite.gz'), gzipSync(await readFile(join(folder, 'store.db')), { level: 9 }));
  await writeFile(join(kept, 'release.json'), `${JSON.stringify(release, null, 2)}\n`);
} finally {
  await rm(folder, { recursive: true });
}
console.log(`Kept a database of ${version} in ${kept}.`);

/** Makes the shop, and records what this version responds for it. */
async function fill(url: string): Promise<Release> {
  const database = await openDatabase(readDatabaseSettings({ DATABASE_URL: url }));
  try {
    const { db } = database;
    const sessions = {
      keeper: await sessionOf(db, keeper),
      reader: await sessionOf(db, reader),
      blocked: await sessionOf(db, identityOf('blocked', 'Blo Cked')),
      erased: await sessionOf(db, identityOf('erased', 'Era Sed')),
    };
    const books = await fillCatalogue(db, sessions.keeper.actor);
    const purchase = await fillOrders(db, sessions);
    await createToken(db, { name: 'import', may: 'catalogue' }, sessions.keeper.actor);
    await rollUpSales(db);

    const requests = await record(database, {
      keeper: sessions.keeper.cookie,
      reader: sessions.reader.cookie,
      books,
    });
    return {
      version,
      madeAt: Date.now(),
      issuer,
      admin: keeper.email,
      buyer: { cookie: sessions.reader.cookie, ...purchase },
      requests,
    };
  } finally {
    await database.close();
  }
}

type Session = { id: string; identity: Identity; cookie: string; actor: Actor };

async function sessionOf(db: Db, identity: Identity): Promise<Session> {
  const { sessionId, customerId: id } = await startSession(db, identity, { providerIssuer: issuer });
  const cookie = `${sessionCookieName({ isSecure: false })}=${sessionId}`;
  return { id, identity, cookie, actor: { customerId: id, email: identity.email, address: '192.0.2.1' } };
}

/** @returns the ids of books whose pages are recorded: one for sale, and the deleted one. */
async function fillCatalogue(db: Db, actor: Actor): Promise<string[]> {
  const picture = await sharp({ create: { width: 600, height: 900, channels: 3, background: '#6b2f3a' } })
    .png()
    .toBuffer();
  const { id } = await storeUpload(db, await convertUpload(picture), String(actor.customerId));
  const image = `/images/${id}.webp`;
  const add = (title: string, author: string, priceCents: number, more: { keywords?: string } = {}) =>
    addBook(db, { title, author, image, priceCents, ...more }, actor);
  const middlemarch = await add('Middlemarch', 'George Eliot', 1299);
  const adamBede = await add('Adam Bede', 'George Eliot', 850);
  await add('Преступление и наказание', 'Фёдор Достоевский', 1150);
  await add('紅樓夢', '曹雪芹', 2499);
  await add('Die Straße nach Łódź', "Siobhán O'Neill", 0, { keywords: 'Reise Polen' });
  const silas = await add('Silas Marner', 'George Eliot', 790);
  const edit = { priceCents: 690, keywords: 'weaver' };
  await editBook(db, silas.id, edit, { actor, isExpected: () => true });
  await removeBook(db, adamBede.id, actor);
  return [middlemarch.id, adamBede.id];
}

/** @returns a purchase that is repeated with its key. */
async function fillOrders(
  db: Db,
  { reader, blocked, erased, keeper }: Record<'reader' | 'blocked' | 'erased' | 'keeper', Session>,
) {
  const time = new Date().toDateString();
  const middlemarch = { title: 'Middlemarch', author: 'George Eliot', priceCents: 1299, time };
  const customerOf = ({ id, identity }: Session) => ({ ...identity, id });
  const first = await placeOrder(db, customerOf(reader), middlemarch, {
    idempotencyKey: 'key-of-the-first-order',
    sendsMail: true,
  });
  const second = { title: '紅樓夢', author: '曹雪芹', priceCents: 2499, time };
  const { id: sentId } = await placeOrder(db, customerOf(reader), second);
  await placeOrder(db, customerOf(blocked), middlemarch);
  await placeOrder(db, customerOf(erased), middlemarch);
  await markOrders(db, { ids: [sentId], isSent: true }, keeper.actor);
  await blockCustomer(db, blocked.id, { isBlocked: true }, keeper.actor);
  await eraseCustomer(db, erased.id, keeper.actor);
  return { idempotencyKey: 'key-of-the-first-order', orderId: first.id, order: middlemarch };
}

async function record(
  database: Database,
  { keeper: admin, reader: buyer, books }: { keeper: string; reader: string; books: string[] },
): Promise<RecordedRequest[]> {
  const store = await openStore(database);
  const read = async (path: string, cookie?: string): Promise<RecordedRequest> => {
    const { statusCode, body, rawPayload, headers } = await store.inject({
      url: path,
      headers: cookie === undefined ? {} : { cookie },
    });
    const isJson = String(headers['content-type']).includes('json');
    const request = { path, ...(cookie === undefined ? {} : { cookie }), status: statusCode };
    if (statusCode >= 400) return { ...request, body: { code: JSON.parse(body).code } };
    // A test sets when the sessions were used.
    const withoutUse = (key: string, value: unknown) => (key === 'lastSeenAt' ? undefined : value);
    return isJson
      ? { ...request, body: JSON.parse(body, withoutUse) }
      : { ...request, digest: hash('sha256', rawPayload) };
  };
  const [book] = JSON.parse((await store.inject({ url: paths.books })).body);
  const requests = [
    await read(paths.books),
    await read(`${paths.books}?sort=title`),
    await read(`${paths.books}?sort=price&limit=3`),
    await read(`${paths.books}?q=george+eliot`),
    await read(`${paths.books}?q=prestuplenie`),
    await read(`${paths.books}?q=lodz+oneill`),
    await read(`${paths.books}?q=weaver`),
    await read(`${paths.books}?q=midlemarch`),
    ...(await Promise.all(books.map((id) => read(paths.book(id))))),
    await read(String(book.image)),
    await read(paths.session, buyer),
    await read(paths.allOrder(reader.email), buyer),
    await read(paths.allOrder(reader.email)),
    await read(deskPaths.orders, admin),
    await read(`${deskPaths.books}?state=deleted`, admin),
    await read(`${deskPaths.customers}?q=reader`, admin),
    await read(deskPaths.orders, buyer),
  ];
  await store.close();
  return requests;
}

/** @returns the app, without a port. The caller closes it, and the database. */
async function openStore(database: Database): Promise<FastifyInstance> {
  const publicUrl = new URL('http://localhost:3000');
  const from = { name: '', address: 'orders@shop.example' };
  const app = await buildApp({
    database,
    provider: signInProvider({
      issuer,
      clientId: 'colophon',
      clientSecret: 'secret',
      callbackUrl: new URL(paths.signInCallback, publicUrl),
    }),
    storeConfig: {
      name: 'Colophon',
      providerName: 'Example',
      apiHost: '',
    },
    mail: unsentMail('off', { storeName: 'Colophon', publicUrl, from }),
    settings: {
      host: '127.0.0.1',
      publicUrl,
      adminClaim: undefined,
      adminEmails: [keeper.email],
      allowedOrigins: [],
      trustedProxies: [],
      hasRateLimits: true,
      maxConnections: 100,
      metricsToken: undefined,
      isDemo: false,
      securityContact: undefined,
      imageOrigins: ['https:'],
      imageHost: undefined,
      stopDelayMs: 0,
    },
    pages: { folder: join(root, 'web'), isRebuilt: true, bookWaitMs: 30_000 },
    log: openLog('silent'),
  });
  await app.ready();
  return app;
}

/** @returns the statements that make the same database on PostgreSQL, as `pg_dump --inserts` writes them. */
async function dumpOnPostgres(sqliteUrl: string): Promise<string> {
  const server = await startPostgres();
  try {
    const url = await createPostgresDatabase(server.url, 'released');
    const source = readDatabaseSettings({ DATABASE_URL: sqliteUrl });
    const target = readDatabaseSettings({ DATABASE_URL: url });
    if (source.engine !== 'sqlite' || target.engine !== 'postgres') throw new Error('the engines are wrong');
    await copyToPostgres(source, target, () => {});
    const program = join(findPostgresFolder('pg_dump') ?? '', 'pg_dump');
    const { stdout } = await promisify(execFile)(
      program,
      ['--inserts', '--no-owner', '--no-privileges', '--no-comments', url],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    // Commands of psql, and comments.
    return stdout.replace(/^(\\|--).*\n/gm, '').replace(/\n{2,}/g, '\n');
  } finally {
    await server.stop();
  }
}

import { createServer } from 'node:http';
import fastify, { type FastifyInstance, type onRequestHookHandler } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { createCatalogueVersion } from '../database/catalogue-version.ts';
import { matchesEtag } from './etags.ts';
import { keyWithoutQuery, type LoadResponse, openResponseCache } from './response-cache.ts';

let app: FastifyInstance | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

type Options = { databaseChanges?: () => number; onRequest?: onRequestHookHandler };

/** A server with one route behind the cache, whose data comes from `load`. */
async function openApp(load: LoadResponse, { databaseChanges = () => 0, onRequest }: Options = {}) {
  const catalogueVersion = createCatalogueVersion(databaseChanges);
  const hits: number[] = [];
  const cache = openResponseCache({
    catalogueVersion,
    acceptsHost: () => true,
    onLoad() {},
    onHit: (_, status) => hits.push(status),
  });
  const opened = fastify({
    serverFactory: (framework) =>
      createServer((request, response) => {
        if (!cache.answer(request, response)) framework(request, response);
      }),
  });
  if (onRequest) opened.addHook('onRequest', onRequest);
  opened.get('/list', async (request, reply) => {
    const policy = { key: '/list', isCompressed: true };
    await cache.send(request, reply, policy, load);
    return reply;
  });
  opened.get('/held', async (request, reply) => {
    await cache.send(request, reply, { key: '/held', lifetimeMs: 200 }, load);
    return reply;
  });
  opened.get('/one/:id', async (request, reply) => {
    await cache.send(request, reply, { key: request.url }, load);
    return reply;
  });
  app = opened;
  const origin = await opened.listen({ port: 0, host: '127.0.0.1' });
  const call = (headers: Record<string, string> = {}) => fetch(`${origin}/list`, { headers });
  const get = async () => (await call()).text();
  return { origin, catalogueVersion, hits, call, get };
}

/** The error that a driver throws when it cannot reach the database. */
const connectionError = () => Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });

test('while the database is unavailable the last good response is sent, and loaded again soon after', async () => {
  let json = '["old"]';
  let [isLost, isGone] = [true, false];
  const { catalogueVersion, origin, get } = await openApp(async () => {
    if (isLost) throw connectionError();
    if (isGone) throw new Error('it is gone');
    return { text: json };
  });
  const statusOfOne = async () => (await fetch(`${origin}/one/1`)).status;
  expect(JSON.parse(await get())).toMatchObject({ code: 'ECONNREFUSED' });
  isLost = false;
  expect([await get(), await statusOfOne()]).toEqual(['["old"]', 200]);

  json = '["new"]';
  catalogueVersion.recordLocalChange();
  isLost = true;
  expect([await get(), await statusOfOne()]).toEqual(['["old"]', 200]);
  isLost = false;

  await expect.poll(get, { timeout: 3_000 }).toBe('["new"]');
  isGone = true;
  expect(await statusOfOne()).toBe(500);
  isLost = true;
  expect(await statusOfOne()).toBe(500);
});

test('simultaneous requests share one load, also while the version is unknown', async () => {
  let [arrived, loads] = [0, 0];
  const started = Promise.withResolvers<void>();
  const load = async () => {
    loads += 1;
    await started.promise;
    return { text: `[${loads}]` };
  };
  const { get } = await openApp(load, {
    databaseChanges: () => Number.NaN,
    onRequest: (_request, _reply, done) => {
      arrived += 1;
      done();
    },
  });

  const all = Promise.all([get(), get(), get()]);
  await expect.poll(() => arrived).toBe(3);
  started.resolve();

  expect(await all).toEqual(['[1]', '[1]', '[1]']);
});

test('a client whose first request has the ETag gets 304, and the next client the whole response', async () => {
  const { call, catalogueVersion } = await openApp(async () => ({ text: '["a"]' }));
  const etag = (await call()).headers.get('etag') ?? '';
  catalogueVersion.recordLocalChange();

  expect((await call({ 'if-none-match': etag })).status).toBe(304);
  expect(await (await call()).text()).toBe('["a"]');
});

test('a response with a cookie is not sent to another client', async () => {
  const { hits, call } = await openApp(async () => ({ text: '[]' }), {
    onRequest: (request, reply, done) => {
      if (request.headers['x-new'] === 'yes') reply.header('set-cookie', 'session=secret');
      done();
    },
  });

  expect((await call({ 'x-new': 'yes' })).headers.get('set-cookie')).toBe('session=secret');

  expect((await call()).headers.get('set-cookie')).toBeNull();
  expect(hits).toEqual([]);
});

test('If-None-Match matches an ETag of any encoding, weak or among others; an address is stored however it is spelled, and with a query not at all', () => {
  expect(keyWithoutQuery({ url: 'http://shop.example/%66ront' }, '/front')).toBe('/front');
  expect(keyWithoutQuery({ url: '/front?' }, '/front')).toBeUndefined();
  for (const value of ['"a"', 'W/"a"', '"a-gzip"', 'W/"a-br"', '"b", "a"', '*']) {
    expect(matchesEtag(value, '"a"'), value).toBe(true);
  }
  for (const value of [undefined, '"b-gzip"', '"b"', 'a', '"ab"']) {
    expect(matchesEtag(value, '"a"'), value).toBe(false);
  }
});

test('a response with a lifetime is loaded again after it, another one stays', async () => {
  let loads = 0;
  const { origin, get } = await openApp(async () => {
    loads += 1;
    return { text: String(loads) };
  });
  const getHeld = async () => (await fetch(`${origin}/held`)).text();

  expect([await get(), await getHeld()]).toEqual(['1', '2']);
  await expect.poll(getHeld).toBe('3');
  expect(await get()).toBe('1');
});

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import fastify, { type FastifyInstance, type onRequestHookHandler } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { createCatalogueVersion } from '../database/catalogue-version.ts';
import { bytesOfBuffers, bytesOfObjects } from '../testing/old-objects.ts';
import { keyWithoutQuery, type LoadResponse, matchesEtag, openResponseCache } from './response-cache.ts';

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
    recorder: (_, status) => () => hits.push(status),
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
  opened.get('/item/:id', async (request, reply) => {
    await cache.send(request, reply, { key: request.url }, async () => ({ text: '{}' }));
    return reply;
  });
  opened.get('/one/:id', async (request, reply) => {
    await cache.send(request, reply, { key: request.url }, load);
    return reply;
  });
  const loadLarge = async () => ({ text: randomBytes(50_000).toString('hex') });
  opened.get('/page/:id', async (request, reply) => {
    await cache.send(request, reply, { key: request.url, isCompressed: true }, loadLarge);
    return reply;
  });
  opened.get('/short/:id', async (request, reply) => {
    const policy = { key: request.url, isCompressed: true };
    await cache.send(request, reply, policy, async () => ({ text: 'short '.repeat(340) }));
    return reply;
  });
  app = opened;
  const origin = await opened.listen({ port: 0, host: '127.0.0.1' });
  const call = (headers: Record<string, string> = {}) => fetch(`${origin}/list`, { headers });
  const get = async () => (await call()).text();
  return { origin, catalogueVersion, cache, hits, call, get };
}

/** The error that a driver throws when it cannot reach the database. */
const connectionError = () => Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });

test('while the database is unavailable the last good response is sent, and loaded again soon after', async () => {
  let json = '["old"]';
  let isLost = false;
  const { catalogueVersion, get } = await openApp(async () => {
    if (isLost) throw connectionError();
    return { text: json };
  });
  expect(await get()).toBe('["old"]');

  json = '["new"]';
  catalogueVersion.recordLocalChange();
  isLost = true;
  expect(await get()).toBe('["old"]');
  isLost = false;

  await expect.poll(get, { timeout: 3_000 }).toBe('["new"]');
});

test('without a last good response the error of the load is sent', async () => {
  const { get } = await openApp(async () => {
    throw connectionError();
  });

  expect(JSON.parse(await get())).toMatchObject({ code: 'ECONNREFUSED' });
});

test('simultaneous requests share one load, also while the version is unknown', async () => {
  let loads = 0;
  const started = Promise.withResolvers<void>();
  const { get } = await openApp(
    async () => {
      loads += 1;
      await started.promise;
      return { text: `[${loads}]` };
    },
    { databaseChanges: () => Number.NaN },
  );

  const all = Promise.all([get(), get(), get()]);
  await expect.poll(() => loads).toBe(1);
  started.resolve();

  expect(await all).toEqual(['[1]', '[1]', '[1]']);
});

test('a request after a local change does not share a load that began before it', async () => {
  let loads = 0;
  const first = Promise.withResolvers<void>();
  const { catalogueVersion, get } = await openApp(
    async () => {
      loads += 1;
      const json = `[${loads}]`;
      if (loads === 1) await first.promise;
      return { text: json };
    },
    { databaseChanges: () => Number.NaN },
  );
  const before = get();
  await expect.poll(() => loads).toBe(1);

  catalogueVersion.recordLocalChange();
  const after = get();

  expect(await after).toBe('[2]');
  first.resolve();
  expect(await before).toBe('[1]');
});

test('a change during a load makes the loaded response stale', async () => {
  let loads = 0;
  const first = Promise.withResolvers<void>();
  const { catalogueVersion, get } = await openApp(async () => {
    loads += 1;
    const json = `[${loads}]`;
    if (loads === 1) await first.promise;
    return { text: json };
  });
  const before = get();
  await expect.poll(() => loads).toBe(1);

  catalogueVersion.recordLocalChange();
  first.resolve();
  await before;

  expect(await get()).toBe('[2]');
});

test('a fresh response and its 304 are sent without the framework', async () => {
  const { hits, call } = await openApp(async () => ({ text: '["a"]', link: '</list?2>; rel="next"' }));
  const first = await call();
  const etag = first.headers.get('etag') ?? '';

  const second = await call();
  const notModified = await call({ 'if-none-match': `"other", W/${etag}` });

  expect(hits).toEqual([200, 304]);
  expect([second.status, await second.text()]).toEqual([200, '["a"]']);
  expect([notModified.status, await notModified.text()]).toEqual([304, '']);
  for (const name of ['etag', 'cache-control', 'vary', 'link']) {
    expect(second.headers.get(name), name).toBe(first.headers.get(name));
    expect(notModified.headers.get(name), name).toBe(first.headers.get(name));
  }
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

test('5,000 other responses do not push the last good one out, and the oldest makes room for the next', {
  timeout: 60_000,
}, async () => {
  let isLost = false;
  const { origin, catalogueVersion, hits, get } = await openApp(async () => {
    if (isLost) throw connectionError();
    return { text: '["last good"]' };
  });
  const getItem = async (index: number) => (await fetch(`${origin}/item/${index}`)).text();
  await get();
  for (let index = 0; index < 5_001; index += 1) await getItem(index);

  await getItem(5_000);
  expect(hits).toEqual([200]);
  await getItem(0);
  expect(hits).toEqual([200]);

  catalogueVersion.recordLocalChange();
  isLost = true;

  expect(await get()).toBe('["last good"]');
});

test('responses of any number of addresses take no more memory than the cache may have', {
  timeout: 60_000,
}, async () => {
  const { origin } = await openApp(async () => ({ text: '[]' }));
  const before = bytesOfBuffers();

  for (let index = 0; index < 500; index += 1) {
    await (await fetch(`${origin}/page/${index}`, { headers: { 'accept-encoding': 'gzip' } })).text();
  }

  expect(bytesOfBuffers() - before).toBeLessThan(32_000_000);
});

test('invented values of Accept-Encoding take a limited amount of memory', async () => {
  const { call } = await openApp(async () => ({ text: '[]' }));
  await call();
  const before = bytesOfObjects();

  for (let index = 0; index < 1_500; index += 1) {
    await (await call({ 'accept-encoding': `${index}, ${'x'.repeat(10_000)}` })).text();
  }

  expect(bytesOfObjects() - before).toBeLessThan(5_000_000);
});

test('a stored body takes no more memory than it has bytes', async () => {
  const { origin } = await openApp(async () => ({ text: '[]' }));
  const before = bytesOfBuffers();

  for (let index = 0; index < 1_000; index += 1) {
    await (await fetch(`${origin}/short/${index}`, { headers: { 'accept-encoding': 'gzip' } })).text();
  }

  // 20 compressed, and 2,000 as they are; zlib's own piece has 16 KB.
  expect(bytesOfBuffers() - before).toBeLessThan(1_000 * 4_000);
});

test('while the database is unavailable a response of many is not sent stale', async () => {
  let isLost = false;
  const { catalogueVersion, origin } = await openApp(async () => {
    if (isLost) throw connectionError();
    return { text: '["old"]' };
  });
  const get = async () => (await fetch(`${origin}/one/1`)).status;
  expect(await get()).toBe(200);

  catalogueVersion.recordLocalChange();
  isLost = true;

  expect(await get()).toBe(500);
});

test.each(['/front', '/fron%74', 'http://shop.example/%66ront'])(
  'the address %s is stored as /front, and with a query not at all',
  (url) => {
    expect(keyWithoutQuery({ url }, '/front')).toBe('/front');
    expect(keyWithoutQuery({ url: `${url}?` }, '/front')).toBeUndefined();
  },
);

test('a disabled cache leaves every request to the framework', async () => {
  const { cache, hits, get } = await openApp(async () => ({ text: '[]' }));
  await get();

  cache.disable();
  await get();

  expect(hits).toEqual([]);
});

test.each([
  [undefined, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"a-gzip"', true],
  ['W/"a-br"', true],
  ['"b-gzip"', false],
  ['"b", "a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['"ab"', false],
])('If-None-Match: %s matches the ETag "a": %s', (ifNoneMatch, matches) => {
  expect(matchesEtag(ifNoneMatch, '"a"')).toBe(matches);
});

test('a response with a lifetime is loaded again after it, another one stays', async () => {
  let loads = 0;
  const { origin, hits } = await openApp(async () => {
    loads += 1;
    return { text: String(loads) };
  });
  const get = async (path: string) => (await fetch(origin + path)).text();
  const first = await get('/list');

  expect(await get('/held')).toBe('2');
  await expect.poll(() => get('/held')).toBe('3');

  expect(await get('/list')).toBe(first);
  // From the cache, in front of the framework.
  expect(hits.length).toBeGreaterThan(0);
});

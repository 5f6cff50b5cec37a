import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { createCatalogueVersion } from '../database/catalogue-version.ts';
import { type LoadResponse, matchesEtag, openResponseCache } from './response-cache.ts';

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** A store with one route, whose data comes from `load`. */
function openApp(load: LoadResponse, remoteChanges = () => 0) {
  const catalogueVersion = createCatalogueVersion(remoteChanges);
  const cache = openResponseCache({ catalogueVersion, onHit: () => {} });
  const opened = fastify();
  opened.get('/list', async (request, reply) => {
    const policy = { isStored: true, isCompressed: true, staleIfUnavailable: true };
    await cache.send(request, reply, policy, load);
    return reply;
  });
  app = opened;
  const get = async () => (await opened.inject('/list')).body;
  return { catalogueVersion, get };
}

/** The error that a driver throws when it cannot reach the database. */
const connectionError = () => Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });

test('while the database is unavailable the last good response is sent, and loaded again soon after', async () => {
  let json = '["old"]';
  let isLost = false;
  const { catalogueVersion, get } = openApp(async () => {
    if (isLost) throw connectionError();
    return { json };
  });
  expect(await get()).toBe('["old"]');

  json = '["new"]';
  catalogueVersion.recordLocalChange();
  isLost = true;
  expect(await get()).toBe('["old"]');
  isLost = false;

  await expect.poll(get, { timeout: 3_000 }).toBe('["new"]');
});

test('without a last good response the error of the load is the answer', async () => {
  const { get } = openApp(async () => {
    throw connectionError();
  });

  expect(JSON.parse(await get())).toMatchObject({ code: 'ECONNREFUSED' });
});

test('simultaneous requests share one load, also while the version is unknown', async () => {
  let loads = 0;
  const started = Promise.withResolvers<void>();
  const { get } = openApp(
    async () => {
      loads += 1;
      await started.promise;
      return { json: `[${loads}]` };
    },
    () => Number.NaN,
  );

  const all = Promise.all([get(), get(), get()]);
  await expect.poll(() => loads).toBe(1);
  started.resolve();

  expect(await all).toEqual(['[1]', '[1]', '[1]']);
});

test('a request after a local change does not share a load that began before it', async () => {
  let loads = 0;
  const first = Promise.withResolvers<void>();
  const { catalogueVersion, get } = openApp(
    async () => {
      loads += 1;
      const json = `[${loads}]`;
      if (loads === 1) await first.promise;
      return { json };
    },
    () => Number.NaN,
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
  const { catalogueVersion, get } = openApp(async () => {
    loads += 1;
    const json = `[${loads}]`;
    if (loads === 1) await first.promise;
    return { json };
  });
  const before = get();
  await expect.poll(() => loads).toBe(1);

  catalogueVersion.recordLocalChange();
  first.resolve();
  await before;

  expect(await get()).toBe('[2]');
});

test.each([
  [undefined, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['"ab"', false],
])('If-None-Match: %s matches the ETag "a": %s', (ifNoneMatch, matches) => {
  expect(matchesEtag(ifNoneMatch, '"a"')).toBe(matches);
});

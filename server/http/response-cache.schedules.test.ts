import fastify from 'fastify';
import { afterAll, beforeAll, expect } from 'vitest';
import { createCatalogueVersion } from '../database/catalogue-version.ts';
import { onEverySchedule } from '../testing/schedules.ts';
import { type LoadResponse, openResponseCache, type ResponseCache } from './response-cache.ts';

let cache: ResponseCache;
let load: (path: string) => ReturnType<LoadResponse>;
const app = fastify();
app.addHook('onRequest', async ({ raw }, reply) => {
  if (cache.answer(raw, reply.raw)) reply.hijack();
});
app.get('/:name', async (request, reply) => {
  await cache.send(request, reply, { key: request.url }, () => load(request.url));
  return reply;
});
// Without this call, the first request would wait for the start of the server.
beforeAll(() => app.ready());
afterAll(() => app.close());

onEverySchedule(
  'no response is older than a change that its node had made or heard of, and none is kept under a version that it was not loaded under',
  async ({ turn, happens, pick, play }) => {
    let [commits, announced, known] = [0, 0, 0];
    let isListening = true;
    const version = createCatalogueVersion(() => (isListening ? announced : Number.NaN));
    const learn = (commit: number) => {
      known = Math.max(known, commit);
    };
    cache = openResponseCache({
      catalogueVersion: version,
      acceptsHost: () => true,
      onLoad() {},
      onHit() {},
    });
    load = async (path) => {
      await turn(`${path} is read`);
      if (pick(false, false, false, true)) throw new Error('the load fails');
      const text = JSON.stringify({ path, commits });
      await turn(`${path} is loaded`);
      return { text };
    };
    const request = async (path: string) => {
      const knownBefore = known;
      const response = await app.inject(path);
      if (response.statusCode === 500) return;
      expect(response.json().path).toBe(path);
      expect(response.json().commits).toBeGreaterThanOrEqual(knownBefore);
    };
    const commit = async (isOwn: boolean) => {
      commits += 1;
      const own = commits;
      const announce = () => {
        announced += 1;
        if (isListening) learn(own);
      };
      happens(`commit ${own} is announced`, announce);
      if (!isOwn) return;
      await turn(`the answer to commit ${own}`);
      version.recordLocalChange();
      learn(own);
    };
    for (let count = 0; count < 8; count += 1) {
      const path = pick('/one', '/one', '/other');
      happens(`a request of ${path}`, () => request(path));
    }
    for (const isOwn of [true, false, true]) happens('a commit', () => commit(isOwn));
    happens('the listener is lost', () => (isListening = false));
    happens('the listener is back', () => (isListening = true));
    await play();

    // By now the node has heard of every commit, so even a stored response has them all.
    for (const path of ['/one', '/other']) happens(`a last request of ${path}`, () => request(path));
    await play();
  },
);

/** The real processes of a store with WORKERS. */

import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { limits } from '../http/rate-limits.ts';
import { endsWithTest } from './ends-with-test.ts';
import type { ServerProcess } from './server-process.ts';
import { externalProvider, startStore } from './store-process.ts';
import { setUpTestDatabase } from './test-database.ts';

const size = 2;
const database = setUpTestDatabase();

/** Starts a store whose workers all serve. */
async function startWorkers(settings: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const store = await startStore({
    ...externalProvider,
    DATABASE_URL: database.url,
    WORKERS: String(size),
    LOG_LEVEL: 'error',
    ...settings,
  });
  endsWithTest(() => store.kill());
  await expect.poll(() => measure(store, 'colophon_processes'), { timeout: 20_000 }).toBe(size);
  return store;
}

/** @returns the processes that the store's process has started. */
const pidsOf = ({ pid }: ServerProcess): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** Sends a GET on a connection of its own, so that each request goes to the next worker. @returns its status. */
const statusOf = (
  { port }: ServerProcess,
  path: string,
  agent = new Agent(),
): Promise<number | string | undefined> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path, agent, headers: { host: `localhost:${port}` } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });

async function measure({ origin }: ServerProcess, series: string): Promise<number> {
  const text = await (await fetch(origin + paths.metrics)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1),
  );
}

describe.skipIf(process.platform !== 'linux')('workers', { timeout: 60_000 }, () => {
  test('a killed worker is replaced, while the others respond', async () => {
    const store = await startWorkers();
    const [killed = 0, ...others] = pidsOf(store);

    process.kill(killed, 'SIGKILL');
    const statuses: unknown[] = [];
    await expect
      .poll(
        async () => {
          statuses.push(await statusOf(store, paths.books));
          return await measure(store, 'colophon_processes');
        },
        { timeout: 30_000 },
      )
      .toBe(size);

    expect(pidsOf(store)).toEqual(expect.arrayContaining(others));
    expect(pidsOf(store)).not.toContain(killed);
    // The killed worker may have held one request, which is lost.
    expect(statuses.filter((status) => status !== 200).length).toBeLessThanOrEqual(1);
    expect(store.stderr()).toBe('');
    expect(store.stdout()).toContain('a worker has ended');
    expect(store.stdout().match(/ is open: /g)).toHaveLength(1);
  });

  test('a worker that ends soon after its start is replaced after a pause', async () => {
    const store = await startWorkers();
    const youngest = pidsOf(store).at(-1) ?? 0;
    const killedAt = performance.now();

    process.kill(youngest, 'SIGKILL');
    await expect.poll(() => pidsOf(store)).not.toContain(youngest);
    await expect.poll(() => pidsOf(store).length, { timeout: 20_000 }).toBe(size);

    expect(performance.now() - killedAt).toBeGreaterThan(1_900);
  });

  test('SIGTERM stops all of them, and each request that has arrived is answered', async () => {
    const store = await startWorkers({ STOP_DELAY_MS: '500' });
    const pids = pidsOf(store);

    const stopped = store.stop();
    const statuses = await Promise.all(Array.from({ length: 40 }, () => statusOf(store, '/books?q=emma')));
    const status = await stopped;

    expect(status).toEqual({ exitCode: 0, signal: null });
    expect(new Set(statuses)).toEqual(new Set([200]));
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('a worker whose store has been killed ends', async () => {
    const store = await startWorkers();
    const pids = pidsOf(store);

    await store.kill();

    for (const pid of pids) {
      await expect.poll(() => isRunning(pid)).toBe(false);
    }
  });

  test('metrics are the sum of the workers', async () => {
    const store = await startWorkers();
    const series = 'http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}';

    for (let sent = 0; sent < 20; sent += 1) await statusOf(store, paths.health);

    expect(await measure(store, series)).toBe(20);
    expect(await measure(store, series)).toBe(20);
  });

  test('what a killed worker had counted stays in the sum', async () => {
    const store = await startWorkers();
    const series = 'http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}';
    for (let sent = 0; sent < 20; sent += 1) await statusOf(store, paths.health);
    expect(await measure(store, series)).toBe(20);

    for (const pid of pidsOf(store)) {
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => pidsOf(store)).not.toContain(pid);
      await expect.poll(() => measure(store, series).catch(() => 0), { timeout: 20_000 }).toBe(20);
    }
  });

  test('a limit of requests holds for all workers together, to the request', async () => {
    const store = await startWorkers();
    const { perClient } = limits.cards;
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });

    const statuses = await Promise.all(
      Array.from({ length: perClient + 40 }, () => statusOf(store, paths.card('none.jpg'), agent)),
    );
    agent.destroy();

    expect(statuses.filter((status) => status === 404)).toHaveLength(perClient);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    expect(await measure(store, 'rate_limited_total{limit="cards",by="client"}')).toBe(40);
  });

  test('a first worker that cannot start ends the store with its sentence', async () => {
    const url = new URL(database.url);
    url.pathname = '/missing';

    const failure = await startStore({
      ...externalProvider,
      DATABASE_URL: url.href,
      WORKERS: String(size),
      LOG_LEVEL: 'error',
    }).catch((error) => error);

    expect(failure.exitCode).toBe(1);
    expect(failure.stderr).toMatch(/has no database "missing"\.\n$/);
    expect(failure.stderr.match(/missing/g)).toHaveLength(1);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

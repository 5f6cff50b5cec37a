/** The real processes of a store with WORKERS. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { limits } from '../http/rate-limits.ts';
import { endsWithTest } from './ends-with-test.ts';
import { externalProvider, failToStartStore, startStore } from './server-process.ts';
import { setUpTestDatabase } from './test-database.ts';

const size = 2;
const database = setUpTestDatabase();
const settingsWith = (DATABASE_URL: string) => ({
  ...externalProvider,
  ...{ DATABASE_URL, WORKERS: String(size), LOG_LEVEL: 'error', STOP_DELAY_MS: '500' },
});
const onLinux = test.skipIf(process.platform !== 'linux');

onLinux(
  'workers share their limits and their metrics; one that is killed is replaced while the others respond; a stop answers what has arrived and ends them all',
  { timeout: 120_000 },
  async () => {
    const store = await startStore(settingsWith(database.url));
    endsWithTest(() => store.kill());
    /** Sends a GET on a connection of its own, so that each request goes to the next worker. */
    const send = (path: string) => fetch(store.origin + path, { headers: { connection: 'close' } });
    const statusOf = (path: string) =>
      send(path).then(
        ({ status }) => status,
        () => 0,
      );
    const measure = async (series: string) => {
      const lines = (await (await send(paths.metrics)).text()).split('\n');
      return Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1));
    };
    const workers = () => measure('colophon_processes').catch(() => 0);
    /** The processes that the store's process has started. */
    const pids = () =>
      readFileSync(`/proc/${store.pid}/task/${store.pid}/children`, 'utf8').trim().split(' ').map(Number);
    await expect.poll(workers, { timeout: 20_000 }).toBe(size);

    const health = 'http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}';
    for (let sent = 0; sent < 20; sent += 1) await statusOf(paths.health);
    expect(await measure(health)).toBe(20);
    const { perClient } = limits.cards;
    const cards = Array.from({ length: perClient + 20 }, () => statusOf(paths.card('none.jpg')));
    const limited = await Promise.all(cards);
    expect([404, 429].map((status) => limited.filter((one) => one === status).length)).toEqual([
      perClient,
      20,
    ]);

    const [killed = 0, ...others] = pids();
    process.kill(killed, 'SIGKILL');
    await expect.poll(pids).not.toContain(killed);
    const statuses: number[] = [];
    const countWorkers = async () => {
      statuses.push(await statusOf(paths.books));
      return await workers();
    };
    await expect.poll(countWorkers, { timeout: 30_000 }).toBe(size);
    expect(pids()).toEqual(expect.arrayContaining(others));
    // The killed worker may have held one request, which is lost; what it had counted stays.
    expect(statuses.filter((status) => status !== 200).length).toBeLessThanOrEqual(1);
    expect(await measure(health)).toBe(20);
    expect(store.stdout()).toContain('a worker has ended');
    expect(store.stdout().match(/ is open: /g)).toHaveLength(1);

    const last = pids();
    const stopped = store.stop();
    const answers = await Promise.all(Array.from({ length: 40 }, () => statusOf('/books?q=emma')));
    expect(await stopped).toEqual({ exitCode: 0, signal: null });
    expect(new Set(answers)).toEqual(new Set([200]));
    for (const pid of last) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(store.stderr()).toBe('');
  },
);

onLinux('a store whose first worker cannot start ends with its sentence, once', async () => {
  const { href } = Object.assign(new URL(database.url), { pathname: '/missing' });

  const { exitCode, stderr } = await failToStartStore(settingsWith(href));

  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^[^\n]*has no database "missing"\.\n$/);
});

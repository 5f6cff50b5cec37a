import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import type { Database } from '../../server/database/open.ts';
import { sessionCookieName } from '../../server/sign-in/session-cookie.ts';
import { startSession } from '../../server/sign-in/sessions.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { externalProvider, startStore } from '../../server/testing/server-process.ts';
import { setUpTestDatabase } from '../../server/testing/test-database.ts';
import { reader } from '../../server/testing/test-store.ts';

const testDatabase = setUpTestDatabase();
let database: Database;
beforeEach(async () => {
  database = await testDatabase.open();
});
const settingsOf = () => ({ ...externalProvider, DATABASE_URL: testDatabase.url });

test('a change of OIDC_ISSUER ends the sessions that began under another one, and logs how many; a restart ends none', {
  // The test starts the process several times.
  timeout: 60_000,
}, async () => {
  const settings = settingsOf();
  const begin = (sub: string, providerIssuer: string) =>
    startSession(
      database.db,
      { ...reader, issuer: providerIssuer.replace(/\/$/, ''), sub },
      { providerIssuer },
    );
  const subjects = async () =>
    (
      await database.db
        .selectFrom('sessions')
        .innerJoin('customers', 'customers.id', 'sessions.customer_id')
        .select('sub')
        .orderBy('sub')
        .execute()
    ).map(({ sub }) => sub);
  /** Stops the store at once, while it removes old rows. @returns the log's line about ended sessions. */
  const startUnder = async (environment: Record<string, string>): Promise<string | undefined> => {
    const started = await startStore(environment);
    await started.stop();
    expect(started.stdout()).not.toContain('"level":50');
    return started
      .stdout()
      .split('\n')
      .find((line) => line.includes('under another identity provider'));
  };
  await begin('demo', 'http://localhost:3001');
  await begin('demo-2', 'http://localhost:3001');
  await begin('shop', 'https://one.example/');

  const shop = await startUnder({ ...settings, OIDC_ISSUER: 'https://one.example' });
  expect(await subjects()).toEqual(['shop']);
  const restarted = await startUnder({ ...settings, OIDC_ISSUER: 'https://one.example' });
  expect(await subjects()).toEqual(['shop']);
  const moved = await startUnder({ ...settings, OIDC_ISSUER: 'https://two.example' });
  expect(await subjects()).toEqual([]);
  await begin('moved', 'https://two.example/');
  const demo = await startUnder({
    DATABASE_URL: testDatabase.url,
    DEMO_IDENTITY_PORT: String(await findFreePort()),
  });

  expect(await subjects()).toEqual([]);
  expect(shop).toContain(
    '"sessions":2,"msg":"ended the sessions that began under another identity provider"',
  );
  expect([restarted, moved, demo]).toEqual([
    undefined,
    expect.stringContaining('"sessions":1'),
    expect.stringContaining('sessions=1'),
  ]);
});

test('a stop may take longer than ten seconds', async () => {
  const store = await startStore({ ...settingsOf(), STOP_DELAY_MS: '10500' });
  const beganAt = performance.now();
  const stopped = store.stop();
  let lastServedMs = 0;
  // The test waits until the store no longer listens.
  await expect
    .poll(
      async () => {
        const response = await fetch(store.origin + paths.books).catch(() => undefined);
        if (response?.ok) lastServedMs = performance.now() - beganAt;
        return response;
      },
      { timeout: 20_000 },
    )
    .toBeUndefined();

  expect(lastServedMs).toBeGreaterThan(10_200);
  expect(await stopped).toEqual({ exitCode: 0, signal: null });
});

test.skipIf(process.platform !== 'linux')(
  'forty uploads of 10 MB at once stay below 400 MB of memory',
  {
    timeout: 60_000,
  },
  async () => {
    const picture = await sharp({ create: { width: 20, height: 30, channels: 3, background: '#a03020' } })
      .png()
      .toBuffer();
    const file = new Blob([new Uint8Array(picture), new Uint8Array(10 * 1024 * 1024 - picture.length)]);
    const cookies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        startSession(
          database.db,
          { ...reader, sub: `${index}` },
          { providerIssuer: externalProvider.OIDC_ISSUER },
        ),
      ),
    );
    const store = await startStore(settingsOf());

    const statuses = await Promise.all(
      cookies.map(async ({ sessionId }) => {
        const body = new FormData();
        body.set('image', file, 'a.png');
        const headers = { cookie: `${sessionCookieName({ isSecure: false })}=${sessionId}` };
        // The store closes the connection of a refused upload. The client may notice that before it reads the response.
        return await fetch(store.origin + paths.upload, { method: 'POST', body, headers }).then(
          ({ status }) => status,
          () => 503,
        );
      }),
    );
    const status = await readFile(`/proc/${store.pid}/status`, 'utf8');
    const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    await store.stop();

    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(peak).toBeLessThan(400);
  },
);

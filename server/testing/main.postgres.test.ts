import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PostgresServer, runStatements, startPostgres } from './postgres-server.ts';
import { externalProvider, failToStartStore } from './store-process.ts';

const user = 'shopkeeper';
const password = 'must-not-be-printed';

/** It requires passwords, unlike the server that the other tests share. */
let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  // PostgreSQL may run as another user, which reads the rules.
  await chmod(folder, 0o755);
  const rules = join(folder, 'pg_hba.conf');
  await writeFile(rules, 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n');
  server = await startPostgres({ configuration: [`hba_file=${rules}`] });
  await runStatements(server.url, `create user ${user} password '${password}'`);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/**
 * @returns what the store writes to standard error with a URL that was changed so. Unless the settings say otherwise it may
 * wait for its database: then it is no test of a cause that waiting cannot end.
 */
async function startError(
  change: (url: URL) => void,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const url = new URL(server.url);
  url.username = user;
  url.password = password;
  change(url);
  const { exitCode, stderr } = await failToStartStore({
    ...externalProvider,
    ...settings,
    DATABASE_URL: url.href,
  });
  expect(exitCode).toBe(1);
  expect(stderr).not.toContain(password);
  return stderr;
}

describe('a store that cannot use its PostgreSQL exits with one sentence, without the password', () => {
  test('when the server cannot be reached', async () => {
    const withoutWaiting = { START_TIMEOUT_MS: '0' };

    expect(await startError((url) => Object.assign(url, { port: '1' }), withoutWaiting)).toBe(
      'DATABASE_URL: PostgreSQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED).\n',
    );
    expect(await startError((url) => Object.assign(url, { host: 'localhost:1' }), withoutWaiting)).toBe(
      'DATABASE_URL: PostgreSQL at localhost:1 cannot be reached (ECONNREFUSED).\n',
    );
    expect(
      await startError((url) => Object.assign(url, { host: 'nowhere.invalid' }), withoutWaiting),
    ).toMatch(
      /^DATABASE_URL: PostgreSQL at nowhere\.invalid(:\d+)? cannot be reached \((ENOTFOUND|EAI_AGAIN)\)\.\n$/,
    );
  });

  test('when the user or the password is wrong, or there is no password', async () => {
    const { host } = new URL(server.url);

    expect(await startError((url) => Object.assign(url, { username: 'nobody' }))).toBe(
      `DATABASE_URL: PostgreSQL at ${host} does not let "nobody" in: the user or the password is wrong.\n`,
    );
    expect(await startError((url) => Object.assign(url, { password: `${password}?` }))).toBe(
      `DATABASE_URL: PostgreSQL at ${host} does not let "${user}" in: the user or the password is wrong.\n`,
    );
    expect(await startError((url) => Object.assign(url, { password: '' }))).toBe(
      `DATABASE_URL: PostgreSQL at ${host} wants a password.\n`,
    );
  });

  test('when there is no such database', async () => {
    expect(await startError((url) => Object.assign(url, { pathname: '/missing' }))).toBe(
      `DATABASE_URL: PostgreSQL at ${new URL(server.url).host} has no database "missing".\n`,
    );
  });

  test('when the user may not create tables', async () => {
    expect(await startError(() => {})).toMatch(
      `DATABASE_URL: PostgreSQL at ${new URL(server.url).host} does not let "${user}" make tables (`,
    );
  });

  test('when the address cannot be decoded', async () => {
    expect(await startError((url) => Object.assign(url, { pathname: '/%E0' }))).toMatch(
      /^DATABASE_URL: a % in/,
    );
  });
});

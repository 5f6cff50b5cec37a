import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from './free-ports.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { startInVain } from './store-process.ts';

const provider = { OIDC_ISSUER: 'http://localhost:1', OIDC_CLIENT_ID: 'shop', OIDC_CLIENT_SECRET: 'secret' };
const password = 'not-for-anybodys-eyes';

const user = 'shopkeeper';

/** One that asks for passwords, unlike the server that the other tests share. */
let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  // PostgreSQL may run as another user.
  await chmod(folder, 0o755);
  const rules = join(folder, 'pg_hba.conf');
  await writeFile(rules, 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n');
  server = await startPostgres({ configuration: [`hba_file=${rules}`] });
  const administrator = new pg.Client({ connectionString: server.url });
  await administrator.connect();
  await administrator.query(`create user ${user} password '${password}'`);
  await administrator.end();
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

async function complaint(change: (url: URL) => void): Promise<string> {
  const url = new URL(server.url);
  url.username = user;
  url.password = password;
  change(url);
  const { exitCode, complained } = await startInVain({
    ...provider,
    PORT: String(await findFreePort()),
    DATABASE_URL: url.href,
  });
  expect(exitCode).toBe(1);
  expect(complained).not.toContain(password);
  return complained;
}

describe('a start without its PostgreSQL says so in one sentence, without the password', () => {
  test('when nothing answers', async () => {
    expect(await complaint((url) => Object.assign(url, { port: '1' }))).toBe(
      'DATABASE_URL: PostgreSQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED).\n',
    );
    expect(await complaint((url) => Object.assign(url, { host: 'localhost:1' }))).toBe(
      'DATABASE_URL: PostgreSQL at localhost:1 cannot be reached (ECONNREFUSED).\n',
    );
    expect(await complaint((url) => Object.assign(url, { host: 'nowhere.invalid' }))).toMatch(
      /^DATABASE_URL: PostgreSQL at nowhere\.invalid(:\d+)? cannot be reached \((ENOTFOUND|EAI_AGAIN)\)\.\n$/,
    );
  });

  test('when the user or the password is wrong, or there is no password', async () => {
    const { host } = new URL(server.url);

    expect(await complaint((url) => Object.assign(url, { username: 'nobody' }))).toBe(
      `DATABASE_URL: PostgreSQL at ${host} does not let "nobody" in: the user or the password is wrong.\n`,
    );
    expect(await complaint((url) => Object.assign(url, { password: `${password}?` }))).toBe(
      `DATABASE_URL: PostgreSQL at ${host} does not let "${user}" in: the user or the password is wrong.\n`,
    );
    expect(await complaint((url) => Object.assign(url, { password: '' }))).toBe(
      `DATABASE_URL: PostgreSQL at ${host} wants a password.\n`,
    );
  });

  test('when there is no such database', async () => {
    expect(await complaint((url) => Object.assign(url, { pathname: '/missing' }))).toBe(
      `DATABASE_URL: PostgreSQL at ${new URL(server.url).host} has no database "missing".\n`,
    );
  });

  test('when the user may not make tables', async () => {
    expect(await complaint(() => {})).toMatch(
      `DATABASE_URL: PostgreSQL at ${new URL(server.url).host} does not let "${user}" make tables (`,
    );
  });

  test('when the address cannot be decoded', async () => {
    expect(await complaint((url) => Object.assign(url, { pathname: '/%E0' }))).toMatch(
      /^DATABASE_URL: a % in/,
    );
  });
});

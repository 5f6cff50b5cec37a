import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase, whenAvailable } from '../database/open.ts';
import { openErrorMessage } from '../database/open-error.ts';
import { readDatabaseSettings } from '../settings/settings.ts';
import { endsWithTest, makeFolder } from './ends-with-test.ts';
import { runStatements, startPostgres } from './postgres-server.ts';

type Changes = Partial<Pick<URL, 'username' | 'password' | 'host' | 'port' | 'pathname'>>;

const user = 'shopkeeper';
const password = 'must-not-be-printed';
const unreachable = 'PostgreSQL at HOST cannot be reached';
const wrong = 'in: the user or the password is wrong.';
const causes: [cause: string, changes: Changes, sentence: string][] = [
  ['the server refuses connections', { port: '1' }, `${unreachable} (ECONNREFUSED).`],
  ['the name of the server has no address', { host: 'nowhere.invalid' }, `${unreachable} (E`],
  ['the user is wrong', { username: 'nobody' }, `PostgreSQL at HOST does not let "nobody" ${wrong}`],
  ['the password is wrong', { password: 'x' }, `PostgreSQL at HOST does not let "${user}" ${wrong}`],
  ['there is no password', { password: '' }, 'PostgreSQL at HOST wants a password.'],
  ['there is no such database', { pathname: '/missing' }, 'PostgreSQL at HOST has no database "missing".'],
  ['the user may not create tables', {}, `PostgreSQL at HOST does not let "${user}" make tables (`],
  ['the address cannot be decoded', { pathname: '/%E0' }, 'a % in'],
];
test('why a database cannot be used is one sentence without the password, and it is waited for only where that helps', async () => {
  // This server requires passwords, unlike the one that other tests share.
  const folder = await makeFolder();
  // PostgreSQL may run as another user, which reads the rules.
  await chmod(folder, 0o755);
  const rules = join(folder, 'pg_hba.conf');
  await writeFile(rules, 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n');
  const server = await startPostgres({ configuration: [`hba_file=${rules}`] });
  endsWithTest(server.stop);
  await runStatements(server.url, `create user ${user} password '${password}'`);

  for (const [cause, changes, sentence] of causes) {
    const url = Object.assign(new URL(server.url), { username: user, password, ...changes });
    const settings = readDatabaseSettings({ DATABASE_URL: url.href });
    const waiting: string[] = [];
    const opening = whenAvailable(() => openDatabase(settings), settings, {
      startTimeoutMs: 1_000,
      onWaiting: (cause) => waiting.push(cause),
      onAvailable() {},
    });

    const error: unknown = await opening.catch((error: unknown) => error);

    const message = openErrorMessage(error, settings) ?? '';
    expect(message.replace(url.host, 'HOST'), cause).toMatch(`DATABASE_URL: ${sentence}`);
    expect(message, cause).not.toMatch(new RegExp(`${password}|\n`));
    expect(waiting, cause).toHaveLength(sentence.startsWith(unreachable) ? 1 : 0);
  }
});

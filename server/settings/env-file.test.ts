import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../testing/ends-with-test.ts';
import { findFreePort } from '../testing/free-ports.ts';
import { serveArguments, startServer } from '../testing/server-process.ts';
import { readEnv } from './env-file.ts';

test('a store refuses each unknown name in .env, with the other wrong settings, and so does npm run shop', async () => {
  const workingFolder = await makeFolder();
  // Names that the store's libraries read are known too.
  const known = 'TMPDIR=/tmp\nNODE_OPTIONS=\nHTTPS_PROXY=http://proxy.example\nPGPASSWORD=x\n';
  const content = `${known}COLOUR=blue\nADMINEMAILS=ada@example.com\nstore_name=Books\nPORT=http\n`;
  await writeFile(join(workingFolder, '.env'), content);
  const port = await findFreePort();
  const names =
    'The store does not start with these settings:\n' +
    '  ADMINEMAILS: is no setting of the store; is ADMIN_EMAILS meant? (in .env)\n' +
    '  COLOUR: is no setting of the store (in .env)\n' +
    '  store_name: is no setting of the store; is STORE_NAME meant? (in .env)\n';

  for (const [nodeArguments, others] of [
    [serveArguments(), '  PORT: "http" is not a whole number from 1 to 65535\n'],
    [[join(import.meta.dirname, '../../commands/run.ts'), 'activity'], ''],
  ] as const)
    await expect(
      startServer({ nodeArguments, environment: {}, port, readyPath: '/readyz', workingFolder }),
    ).rejects.toMatchObject({ exitCode: 1, stderr: names + others });
});

const read =
  (content: string, encoding: BufferEncoding = 'utf8') =>
  () =>
    readEnv(Buffer.from(content, encoding));

test('a # is read in quotes and comments; one that would cut a value short is refused without the value, and so are a line without = and another encoding than UTF-8', () => {
  const content = '\uFEFF# It\'s "ours" # A=1\r\n\nC="Quill #1" # the brand\nD=\'#2 or 4\'\nE=\n';
  expect(read(content)()).toEqual({ C: 'Quill #1', D: '#2 or 4', E: '' });
  for (const [name, content] of [
    ['MAIL_URL', 'MAIL_URL=smtp://shop:pa#ss@mail.example'],
    ['STORE_NAME', 'PORT=4000\nSTORE_NAME=Quill #1\n'],
    ['PORT', 'PORT=4000 # its port'],
  ] as const) {
    expect(read(content)).toThrow(
      `${name}: its value in .env would end before a #. Put the value in quotes, or the comment on a line of its own.`,
    );
  }
  expect(read('PORT=4000\n\nSTORE_NAME Quill\n')).toThrow('.env: line 3 has no =. Write NAME=value there.');
  expect(read('STORE_NAME=Café\n', 'latin1')).toThrow(
    '.env is not in UTF-8, perhaps in Windows-1252. Save it as UTF-8.',
  );
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../testing/ends-with-test.ts';
import { findFreePort } from '../testing/free-ports.ts';
import { startServer } from '../testing/server-process.ts';
import { serveArguments } from '../testing/store-process.ts';
import { readEnv } from './env-file.ts';

const shop = [join(import.meta.dirname, '..', '..', 'commands', 'run.ts'), 'activity'];

test.each([
  ['npm run serve', serveArguments(), 'PORT: "http"'],
  ['npm run shop', shop, 'DATABASE_READ_URLS: '],
])('%s refuses an unknown name in .env, with the other wrong settings', async (_, nodeArguments, other) => {
  const folder = await makeFolder();
  await writeFile(
    join(folder, '.env'),
    'COLOUR=blue\nADMINEMAILS=ada@example.com\nPORT=http\nDATABASE_READ_URLS=x\n',
  );

  const running = startServer({
    nodeArguments,
    environment: {},
    port: await findFreePort(),
    readyPath: '/readyz',
    workingFolder: folder,
  });

  await expect(running).rejects.toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      new RegExp(
        `^The store does not start with these settings:\\n {2}ADMINEMAILS: .* ADMIN_EMAILS .*\\n {2}COLOUR: [^]*\\n {2}${other}`,
      ),
    ),
  });
});

const read =
  (content: string, encoding: BufferEncoding = 'utf8') =>
  () =>
    readEnv(Buffer.from(content, encoding));

test('a # is read in quotes and comments; one that would cut a value short is refused without the value, and so is another encoding than UTF-8', () => {
  const content = '\uFEFF# It\'s "ours" # A=1\r\n\nC="Quill #1" # the brand\nD=\'#2\n# 3\'\nE=\n';
  expect(read(content)()).toEqual({ C: 'Quill #1', D: '#2\n# 3', E: '' });
  for (const [name, content] of [
    ['MAIL_URL', 'MAIL_URL=smtp://shop:pa#ss@mail.example'],
    ['STORE_NAME', 'PORT=4000\nSTORE_NAME=Quill #1\n'],
    ['PORT', 'PORT=4000 # its port'],
  ] as const) {
    expect(read(content)).toThrow(
      `${name}: its value in .env would end before a #. Put the value in quotes, or the comment on a line of its own.`,
    );
  }
  expect(read('STORE_NAME=Café\n', 'latin1')).toThrow(
    '.env is not in UTF-8, perhaps in Windows-1252. Save it as UTF-8.',
  );
});

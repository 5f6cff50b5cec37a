import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../testing/ends-with-test.ts';
import { findFreePort } from '../testing/free-ports.ts';
import { startServer } from '../testing/server-process.ts';
import { serveArguments } from '../testing/store-process.ts';

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

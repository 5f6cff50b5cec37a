import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFreePort } from './testing/free-ports.ts';
import { startServer } from './testing/server-process.ts';
import { serveArguments } from './testing/store-process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

const shop = [join(import.meta.dirname, '..', 'tools', 'shop', 'run.ts'), 'activity'];

test.each([
  ['npm run serve', serveArguments(), 'PORT: "http"'],
  ['npm run shop', shop, 'DATABASE_READ_URLS: '],
])('%s refuses an unknown name in .env, with the other wrong settings', async (_, nodeArguments, other) => {
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

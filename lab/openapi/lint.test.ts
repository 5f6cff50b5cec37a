import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { makeFolder } from '../../server/testing/ends-with-test.ts';
import { openTestStore } from '../../server/testing/test-store.ts';

// Spectral would bring 242 packages: the other rules of its `spectral:oas` are in server/operations/routes.test.ts.
test('the description is valid OpenAPI, and Redocly’s recommended rules find nothing in it', async () => {
  const store = await openTestStore();
  const folder = await makeFolder();
  const file = join(folder, 'openapi.json');
  writeFileSync(file, await (await store.call(paths.openApi)).text());
  const redocly = join(import.meta.dirname, '..', 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');

  const { stdout } = await promisify(execFile)(
    process.execPath,
    [redocly, 'lint', file, '--extends=recommended', '--format=json'],
    {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );

  expect(JSON.parse(stdout).problems).toEqual([]);
});

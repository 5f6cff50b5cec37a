import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findProgram } from '../../server/testing/programs.ts';

const deploy = join(import.meta.dirname, '..', '..', 'deploy');

test('systemd accepts the service files', async ({ skip }) => {
  const program = findProgram('systemd-analyze');
  if (program === undefined) return skip('systemd-analyze is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  await cp(deploy, folder, { recursive: true });
  const units = (await readdir(folder)).filter((name) => /\.(service|timer)$/.test(name));
  const files = units.map((name) => join(folder, name));
  for (const file of files) {
    // It checks that the program exists.
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  }

  const { stderr } = await promisify(execFile)(program, ['verify', ...files]);

  expect(stderr.split('\n').filter((line) => line.includes(folder))).toEqual([]);
  await rm(folder, { recursive: true });
});

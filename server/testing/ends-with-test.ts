import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';

/** Ends something after the test that opened it. An `afterAll` must end what a `beforeAll` opened. */
export function endsWithTest(end: () => unknown): void {
  if (!TestRunner.getCurrentTest()) return;
  onTestFinished(async () => {
    await end();
  });
}

/** Closes what a test opens, after that test. @returns what was opened. */
export async function forThisTest<Opened extends { close(): unknown }>(
  opening: Opened | Promise<Opened>,
): Promise<Opened> {
  const opened = await opening;
  endsWithTest(() => opened.close());
  return opened;
}

/** Makes a temporary folder, and removes it after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  endsWithTest(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

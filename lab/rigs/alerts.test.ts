/** The alerts of deploy/, as Prometheus' own tool tests them. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findProgram } from '../../server/testing/programs.ts';

const cwd = join(import.meta.dirname, '..', '..', 'deploy');
const promtool = findProgram('promtool');

test('each alert fires when it should, and none in a quiet shop', { timeout: 120_000 }, async ({ skip }) => {
  if (!promtool) skip('promtool is not installed: on Debian it is in the package prometheus');
  const run = (...args: string[]) => promisify(execFile)(String(promtool), args, { cwd });
  const rules = ['prometheus-alerts.yaml', 'prometheus-alerts-postgresql.yaml'];

  const checked = await run('check', 'rules', ...rules);
  const tested = await run(
    ...['test', 'rules', 'prometheus-alerts.test.yaml', 'prometheus-alerts.long.test.yaml'],
  );

  expect(checked.stdout.match(/SUCCESS/g)).toHaveLength(rules.length);
  expect(tested.stdout).toContain('SUCCESS');
});

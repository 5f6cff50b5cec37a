import { describe, expect, test } from 'vitest';
import { runScript, scripts } from '../tools/test/run-script.ts';

const labScripts = Object.keys(scripts).filter((name) => /tools\/lab\.ts \w/.test(scripts[name] ?? ''));

describe.each(labScripts)('npm run %s', (name) => {
  test('prints its usage with --help', async () => {
    const { stdout, stderr, exitCode } = await runScript(name, ['--help']);

    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(new RegExp(`^Usage: npm run ${name}\\b`));
  });
});

test.each([
  ['bench', ['--rounds', '0'], '--rounds: "0" is not a whole number from 1 to 999999999'],
  ['bench', ['--rounds', '1.5'], '--rounds: "1.5" is not a whole number from 1 to 999999999'],
  ['bench', ['--seconds', '0.5'], '--seconds: "0.5" is not a whole number from 1 to 999999999'],
  ['bench', ['--only', 'reads', '--only', 'writes'], '--only: "writes" is none of reads, orders, '],
  ['bench:fill', ['--database', 'oracle://db'], '--database: '],
  ['fuzz', ['--database', 'mysql'], '--database: "mysql" is none of sqlite, postgres'],
  ['test:failover', ['--strict=yes'], "Option '--strict' does not take an argument"],
  ['test:failover', ['now'], "Unexpected argument 'now'"],
])('npm run %s rejects %j', async (name, args, message) => {
  const { stdout, stderr, exitCode } = await runScript(name, args);

  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^[^\n]+; --help lists the options\.\n$/);
});

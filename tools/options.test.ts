import { describe, expect, test } from 'vitest';
import { runScript, scripts } from './test/run-script.ts';

/** Scripts that run a file of this package, rather than a tool such as Vite. */
const ownScripts = Object.entries(scripts).filter(([, command]) =>
  /(?<!node) tools\/(?!node24|lab)/.test(command),
);

describe.each(ownScripts)('npm run %s', (name) => {
  test('prints its usage with --help', async () => {
    const { stdout, stderr, exitCode } = await runScript(name, ['--help']);

    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^Usage: npm /);
    expect(stdout).toContain('--help');
  });

  test('rejects an unknown option with one line and exit code 2', async () => {
    const { stdout, stderr, exitCode } = await runScript(name, ['--nonsense']);

    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/^Unknown option '--nonsense'[^\n]*--help[^\n]*\n$/);
  });
});

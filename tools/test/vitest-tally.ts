/** A Vitest reporter that writes a {@link Tally} to `TALLY_FILE`. Vitest's JSON reporter omits why a test was skipped. */

import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { Tally } from './tally.ts';

// biome-ignore lint/style/noDefaultExport: Vitest takes the default export of a reporter's file.
export default class VitestTally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const file = process.env['TALLY_FILE'];
    if (!file) throw new Error('TALLY_FILE is not set');
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    // A file that cannot be loaded, or whose hook fails, has no failed test.
    const brokenModules = modules.filter(
      (module) => module.state() === 'failed' && ![...module.children.allTests('failed')].length,
    );
    const inState = (state: 'passed' | 'failed') => tests.filter((test) => test.result().state === state);
    const failures = [
      ...inState('failed').map(nameOf),
      ...brokenModules.map(({ relativeModuleId }) => relativeModuleId),
      ...unhandledErrors.map((error) => `an error outside of tests: ${error}`),
    ];
    const tally: Tally = {
      passed: inState('passed').length,
      failed: failures.length,
      failures,
      unsteady: tests
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `${nameOf(test)}\n        ${test.result().errors?.[0]?.message}`),
      files: modules.map((module) => ({
        name: `${module.project.name}, ${module.relativeModuleId}`,
        ms: module.diagnostic().duration,
      })),
      skipped: tests
        .filter((test) => test.result().state === 'skipped')
        .map((test) => ({ name: test.fullName, reason: reasonOf(test) })),
    };
    writeFileSync(file, JSON.stringify(tally));
  }
}

const nameOf = (test: TestCase): string =>
  `${test.project.name}, ${test.module.relativeModuleId}: ${test.fullName}`;

function reasonOf(test: TestCase): string {
  const result = test.result();
  return (result.state === 'skipped' && result.note) || 'no reason is given';
}

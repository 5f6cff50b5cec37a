/** A Vitest reporter that writes each {@link Outcome} to `OUTCOMES_FILE`. Vitest's JSON reporter omits why a test was skipped. */

import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { Outcome } from './outcomes.ts';

// biome-ignore lint/style/noDefaultExport: Vitest takes the default export of a reporter's file.
export default class VitestOutcomes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    // A file that cannot be loaded, or whose hook fails, has no failed test.
    const broken = modules.filter(
      (module) => module.state() === 'failed' && ![...module.children.allTests('failed')].length,
    );
    const failures = [
      ...broken.map(fileOf),
      ...unhandledErrors.map((error) => `an error outside of tests: ${error}`),
    ];
    const outcomes: Outcome[] = [
      ...modules.flatMap((module) => [...module.children.allTests()].map(outcomeOf)),
      ...failures.map((name) => ({ name, state: 'failed' as const })),
    ];
    writeFileSync(process.env['OUTCOMES_FILE'] ?? '', JSON.stringify(outcomes));
  }
}

const fileOf = (module: TestModule): string => `${module.project.name}, ${module.relativeModuleId}`;

function outcomeOf(test: TestCase): Outcome {
  const { state, errors, ...result } = test.result();
  return {
    name: `${fileOf(test.module)}: ${test.fullName}`,
    state: test.diagnostic()?.flaky ? 'unsteady' : state === 'pending' ? 'failed' : state,
    note: 'note' in result ? result.note : errors?.[0]?.message,
  };
}

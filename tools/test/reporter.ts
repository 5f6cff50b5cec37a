/** A reporter of Vitest and of Playwright: it writes each {@link Outcome} to `OUTCOMES_FILE`, with the reason of each skip. */

import { writeFileSync } from 'node:fs';
import type { TestCase as BrowserTest, FullConfig, Suite } from '@playwright/test/reporter';
import type { TestCase, TestModule } from 'vitest/node';
import type { Outcome } from './outcomes.ts';

const write = (outcomes: readonly Outcome[]): void =>
  writeFileSync(process.env['OUTCOMES_FILE'] ?? '', JSON.stringify(outcomes));

// biome-ignore lint/style/noDefaultExport: both take the default export of a reporter's file.
export default class Reporter {
  #browserTests: readonly BrowserTest[] = [];

  /** Vitest calls this at its end. A file that cannot be loaded, or whose hook fails, has no failed test. */
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const broken = modules.filter(
      (module) => module.state() === 'failed' && ![...module.children.allTests('failed')].length,
    );
    const failures = [
      ...broken.map(fileOf),
      ...unhandledErrors.map((error) => `an error outside of tests: ${error}`),
    ];
    write([
      ...modules.flatMap((module) => [...module.children.allTests()].map(outcomeOf)),
      ...failures.map((name) => ({ name, state: 'failed' as const })),
    ]);
  }

  /** Playwright calls this at its beginning, and the next at its end. */
  onBegin(_config: FullConfig, suite: Suite): void {
    this.#browserTests = suite.allTests();
  }

  onEnd(): void {
    write(this.#browserTests.map(outcomeInBrowser));
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

const states = { expected: 'passed', unexpected: 'failed', flaky: 'unsteady', skipped: 'skipped' } as const;

const outcomeInBrowser = (test: BrowserTest): Outcome => ({
  name: test.title,
  state: states[test.outcome()],
  note:
    test.annotations.find(({ description }) => description)?.description ??
    test.results.find(({ error }) => error)?.error?.message?.split('\n')[0],
});

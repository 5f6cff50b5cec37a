/**
 * A process of a scratch copy, which keeps Vitest and PostgreSQL ready between runs. Its argument is Vitest's configuration.
 * It gets requests, and sends a result for each.
 */

import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createVitest, type TestModule } from 'vitest/node';
import { type Defence, patternOfTitles } from './defences.ts';

export type TestRequest = Pick<Defence, 'project' | 'testFile' | 'file'> & {
  titles: readonly string[];
};

type TestOutcome = { title: string; hasPassed: boolean; message: string };

export type TestRun = {
  outcomes: readonly TestOutcome[];
  /** Why no test ran, where that is so, such as a file that cannot be loaded. */
  failure: string | undefined;
};

const [, , config = ''] = process.argv;
const vitest = await createVitest({
  config,
  mode: 'full',
  watch: false,
  reporters: [{}],
});

async function run({ project, testFile, file, titles }: TestRequest): Promise<TestRun> {
  const specifications = (await vitest.globTestSpecifications([testFile])).filter(
    (specification) => (specification.project.name === 'PostgreSQL') === (project === 'PostgreSQL'),
  );
  vitest.setGlobalTestNamePattern(patternOfTitles(titles));
  vitest.invalidateFile(join(process.cwd(), file));
  const { testModules } = await vitest.runTestSpecifications(specifications);
  vitest.invalidateFile(join(process.cwd(), file));
  // The modules of earlier runs are among them.
  const modules = testModules.filter((module) =>
    specifications.some((one) => one.moduleId === module.moduleId && one.project === module.project),
  );
  const outcomes = modules
    .flatMap(outcomesOf)
    .filter(({ title }) => titles.some((part) => title.includes(part)));
  const [error] = modules.flatMap((module) => module.errors());
  const failure = outcomes.length === 0 && error ? stripVTControlCharacters(error.message) : undefined;
  return { outcomes, failure };
}

const outcomesOf = (module: TestModule): TestOutcome[] =>
  [...module.children.allTests()].flatMap((test) => {
    const { state, errors } = test.result();
    if (state !== 'passed' && state !== 'failed') return [];
    const title = test.fullName.replaceAll(' > ', ' ');
    return { title, hasPassed: state === 'passed', message: errors?.[0]?.message ?? '' };
  });

process.on('message', async (request: TestRequest) => process.send?.(await run(request)));
process.on('disconnect', () => vitest.exit(true));

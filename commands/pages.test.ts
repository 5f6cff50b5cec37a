import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../server/testing/ends-with-test.ts';
import { createStoreDatabase } from '../server/testing/test-database.ts';
import { runShop } from './testing/shop.ts';

test('pages of the shop are set from a file or standard input, listed, and removed', async () => {
  const { url } = await createStoreDatabase();
  const folder = await makeFolder();
  const file = join(folder, 'imprint.md');
  await writeFile(file, '# Imprint\n\nHighbury\n');
  const shop = (args: string[], input?: string) => runShop(['pages', ...args], { DATABASE_URL: url }, input);
  const inJson = async (args: string[]) => JSON.parse((await shop([...args, '--json'])).stdout);
  const imprint = { slug: 'imprint', title: 'Imprint' };

  expect((await shop(['list'])).stderr).toBe('The shop has no pages.\n');
  expect(await inJson(['set', 'imprint', file])).toMatchObject([imprint]);
  const set = await shop(['set', 'terms', '-'], '# Terms\n');
  expect([set.exitCode, set.stderr]).toEqual([0, 'The shop’s pages now: imprint, terms.\n']);
  expect((await shop(['list'])).stdout).toMatch(/^imprint {2}2\S+Z {2}Imprint\nterms {2}2\S+Z {2}Terms\n$/);
  expect(await inJson(['remove', 'terms'])).toMatchObject([imprint]);

  const wrong = [
    ['set', 'Terms', file],
    ['set', 'terms', join(folder, 'none')],
    ['remove', 'terms'],
  ];
  const outcomes = await Promise.all(wrong.map((args) => shop(args)));
  expect(outcomes.map(({ exitCode, stderr }) => [exitCode, stderr.split('\n')[0]])).toEqual([
    [2, 'SLUG: Has characters that cannot be used here.'],
    [1, `There is no file ${join(folder, 'none')}.`],
    [1, 'There is no such page.'],
  ]);
  expect((await shop(['set', 'terms', '-'], 'no title')).stderr).toContain(
    'FILE: Begin with the title as a heading',
  );
});

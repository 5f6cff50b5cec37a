import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { readDatabaseSettings } from '../settings/settings.ts';
import { forThisTest, makeFolder } from '../testing/ends-with-test.ts';
import { createTestDatabase, fileOf } from '../testing/test-database.ts';
import { openDatabase, whenAvailable } from './open.ts';
import { openErrorMessage } from './open-error.ts';

test('a start waits for a SQLite file that another process has locked, and opens it when it is free', async () => {
  const { settings, url } = await createTestDatabase();
  const other = new DatabaseSync(fileOf(url));
  other.exec('begin exclusive');
  const causes: string[] = [];
  const waits: number[] = [];

  const opening = whenAvailable(() => openDatabase(settings), settings, {
    startTimeoutMs: 60_000,
    onWaiting(cause) {
      causes.push(cause);
      other.exec('commit');
    },
    onAvailable: (waitedMs) => waits.push(waitedMs),
  });
  await forThisTest(opening);

  expect(causes).toEqual([`DATABASE_URL: ${fileOf(url)} cannot be used (database is locked).`]);
  expect(waits).toHaveLength(1);
  other.close();
});

test('a start does not wait for a file that is no database or cannot be opened, and says so in one sentence', async () => {
  const folder = await makeFolder();
  const letter = join(folder, 'letter.db');
  await writeFile(letter, 'This is a letter, and no database.'.repeat(100));
  const causes: string[] = [];
  const faultOf = async (file: string) => {
    const settings = readDatabaseSettings({ DATABASE_URL: `sqlite:${file}` });
    const opening = whenAvailable(() => openDatabase(settings), settings, {
      startTimeoutMs: 1_000,
      onWaiting: (cause) => causes.push(cause),
      onAvailable: () => {},
    });
    return openErrorMessage(await opening.catch((error: unknown) => error), settings);
  };

  expect(await faultOf(letter)).toBe(`DATABASE_URL: ${letter} cannot be used (file is not a database).`);
  expect(await faultOf(folder)).toBe(`DATABASE_URL: ${folder} cannot be opened (EISDIR).`);
  expect(await faultOf(join(letter, 'store.db'))).toMatch(
    /^DATABASE_URL: the folder of .* cannot be made \(\w+\)\.$/,
  );
  expect(causes).toEqual([]);
});

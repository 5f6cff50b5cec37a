import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { readDatabaseSettings } from '../settings.ts';
import { openDatabase } from './open.ts';
import { whenAvailable } from './open-when-available.ts';

test('a start waits for a SQLite file that another process has locked, and opens it when it is free', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  const file = join(folder, 'store.db');
  const other = new DatabaseSync(file);
  other.exec('begin exclusive');
  const causes: string[] = [];
  const waits: number[] = [];

  const settings = readDatabaseSettings({ DATABASE_URL: `sqlite:${file}` });
  const database = await whenAvailable(() => openDatabase(settings), settings, {
    startTimeoutMs: 60_000,
    onWaiting(cause) {
      causes.push(cause);
      other.exec('commit');
    },
    onAvailable: (waitedMs) => waits.push(waitedMs),
  });

  expect(causes).toEqual([`DATABASE_URL: ${file} is locked by another process.`]);
  expect(waits).toHaveLength(1);
  await database.close();
  other.close();
  await rm(folder, { recursive: true });
});

test('a start does not wait for a file that is no database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  const file = join(folder, 'letter.db');
  await writeFile(file, 'This is a letter, and no database.'.repeat(100));
  const causes: string[] = [];

  const settings = readDatabaseSettings({ DATABASE_URL: `sqlite:${file}` });
  const opening = whenAvailable(() => openDatabase(settings), settings, {
    startTimeoutMs: 1_000,
    onWaiting: (cause) => causes.push(cause),
    onAvailable: () => {},
  });

  await expect(opening).rejects.toThrow('file is not a database');
  expect(causes).toEqual([]);
  await rm(folder, { recursive: true });
});

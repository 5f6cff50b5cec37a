/** Parts of the tests of `shop database`, which run the real command on the engine of their project. */

import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { addBook } from '../../server/catalogue/books.ts';
import type { Db } from '../../server/database/tables.ts';
import { storeImage } from '../../server/images/images.ts';
import { emma } from '../../server/testing/test-store.ts';

/**
 * Kills a command with SIGKILL as soon as a condition holds.
 * @returns true if the command still ran then.
 */
export async function killWhen(
  command: ChildProcess,
  condition: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const exit = once(command, 'exit');
  while (command.exitCode === null && !(await condition())) await pause(2);
  command.kill('SIGKILL');
  const [exitCode] = await exit;
  return exitCode === null;
}

/** Adds an image for each megabyte. No compression makes them smaller, so a copy of the database takes a moment. */
export async function addLargeImages(db: Db, megabytes: number): Promise<void> {
  for (let number = 0; number < megabytes; number += 1) {
    const id = randomBytes(16).toString('hex');
    const renditions = [{ width: 960 as const, bytes: randomBytes(1_000_000) }];
    await db.transaction().execute((db) => storeImage(db, { id, width: 960, height: 960, renditions }));
  }
}

export const addEmma = (db: Db) => addBook(db, emma, null);

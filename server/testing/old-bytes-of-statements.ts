/**
 * A process that executes statements with large texts, and prints how many bytes V8's old objects take more after them. In a process of its
 * own, since what other tests have left there may keep what comes later. The arguments: the settings of the database, as JSON; `a read` or
 * `a write`; how many statements; and how many characters each has.
 */

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { openDatabase } from '../database/open.ts';
import { oldBytes } from './old-objects.ts';

const [, , settings = '', kind, count, length] = process.argv;
const { db, close } = await openDatabase(JSON.parse(settings));

async function execute(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const text = randomBytes(Number(length) / 2).toString('hex');
    const statement =
      kind === 'a read' ? sql`select ${text}::text as echo` : sql`delete from words where word = ${text}`;
    await statement.execute(db);
  }
}

await execute(50);
const before = oldBytes();
await execute(Number(count));
process.stdout.write(String(oldBytes() - before));
await close();

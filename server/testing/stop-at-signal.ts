/**
 * A process that stops at a signal, as the store does, and sends a message when it is ready for one. Its arguments: the file
 * of its database, after how many milliseconds a stop is ended, and `busy` for a database with a statement that never ends.
 */

import { sql } from 'kysely';
import { openDatabase } from '../database/open.ts';
import { stopOnSignals } from '../stop-on-signals.ts';

const [, , file = '', timeoutMs, work] = process.argv;
const limitMs = 600_000;
const database = await openDatabase({
  engine: 'sqlite',
  file,
  readTimeoutMs: limitMs,
  statementTimeoutMs: limitMs,
});
// Starts the thread of the reads.
await sql`select 1`.execute(database.db);
if (work === 'busy') {
  const endless = sql`
    with recursive numbers (number) as (select 1 union all select number + 1 from numbers)
    select max(number) from numbers
  `;
  endless.execute(database.db).catch(() => {});
}
stopOnSignals(database.close, {
  timeoutMs: Number(timeoutMs),
  onError(error) {
    throw error;
  },
});
process.send?.('ready');

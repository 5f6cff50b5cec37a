/**
 * A process that stops at a signal within half a second, as the store does, with a statement that never ends. It sends a message when it
 * is ready for the signal. Its argument: the file of its database.
 */

import { sql } from 'kysely';
import { openDatabase } from '../database/open.ts';
import { stopOnSignals } from '../stop-on-signals.ts';

const [, , file = ''] = process.argv;
const limitMs = 600_000;
const limits = { readTimeoutMs: limitMs, statementTimeoutMs: limitMs };
const database = await openDatabase({ engine: 'sqlite', file, ...limits });
// Starts the thread of the reads.
await sql`select 1`.execute(database.db);
const endless = sql`
  with recursive numbers (number) as (select 1 union all select number + 1 from numbers)
  select max(number) from numbers
`;
endless.execute(database.db).catch(() => {});
stopOnSignals(database.close, {
  timeoutMs: 500,
  onError(error) {
    throw error;
  },
});
process.send?.('ready');

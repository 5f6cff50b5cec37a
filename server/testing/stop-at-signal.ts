/**
 * A process that runs an endless statement, and must still stop within half a second of a signal, like the store. It sends a message when
 * it is ready for the signal. Its argument is the file of its database.
 */

import { sql } from 'kysely';
import { openDatabase } from '../database/open.ts';
import { stopOnSignals } from '../stop-on-signals.ts';

const [, , file = ''] = process.argv;
const limitMs = 600_000;
const limits = { readTimeoutMs: limitMs, statementTimeoutMs: limitMs };
const database = await openDatabase({ engine: 'sqlite', file, ...limits });
// This call starts the thread for reads.
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

/** A process that opens a database, as a store does when it starts, and closes it. Its settings come as one argument. */

import { openDatabase } from '../database/open.ts';

const database = await openDatabase(JSON.parse(process.argv[2] ?? ''));
await database.close();

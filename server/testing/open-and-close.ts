/** A process that opens a database, as a starting store does, and closes it. The only argument is its settings, as JSON. */

import { openDatabase } from '../database/open.ts';

const database = await openDatabase(JSON.parse(process.argv[2] ?? ''));
await database.close();

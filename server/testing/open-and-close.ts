/**
 * A process that opens a database, as a starting store does, and closes it. The first argument is its settings, as JSON; with the
 * name of a migration as the second one it kills itself when this one is about to be applied.
 */

import { openDatabase } from '../database/open.ts';

const [, , settings = '', deadlyMigration] = process.argv;
const database = await openDatabase(JSON.parse(settings), {
  onMigration(name) {
    if (name === deadlyMigration) process.kill(process.pid, 'SIGKILL');
  },
});
await database.close();

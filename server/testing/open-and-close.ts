/**
 * A process that opens a database like a starting store, and closes it. The first argument is the settings as JSON. With a second argument,
 * the name of a migration, it kills itself just before that migration.
 */

import { openDatabase } from '../database/open.ts';

const [, , settings = '', deadlyMigration] = process.argv;
const database = await openDatabase(JSON.parse(settings), {
  onMigration(name) {
    if (name === deadlyMigration) process.kill(process.pid, 'SIGKILL');
  },
});
await database.close();

/** `shop database`: backups, checks and moves of the whole database. */

import { stat } from 'node:fs/promises';
import { counted } from '../contract/counted.ts';
import type { Action } from '../contract/desk/activity.ts';
import { commandActor, recordActivity } from '../server/activity/activity.ts';
import { sweepErasures } from '../server/customers/erase-customer.ts';
import { backUp } from '../server/database/archive/back-up.ts';
import type { Reapplied } from '../server/database/archive/ended.ts';
import { copyToPostgres } from '../server/database/archive/postgres.ts';
import { restore } from '../server/database/archive/restore.ts';
import type { Counts } from '../server/database/archive/store-file.ts';
import { openUnlimited } from '../server/database/open.ts';
import { explained } from '../server/database/open-error.ts';
import type { Db } from '../server/database/tables.ts';
import { timeText } from '../server/database/times.ts';
import { removeOldest, timedFile } from '../server/database/whole-file.ts';
import { checkDatabase } from '../server/operations/check/check-database.ts';
import { isPostgresUrl } from '../server/settings/parsers.ts';
import { readDatabaseSettings } from '../server/settings/settings.ts';
import { StartError } from '../server/start-error.ts';
import { flag, OptionError, text, wholeNumber } from '../tools/options.ts';
import { command, grouped, json, UsageError, withMeter } from './command.ts';
import { databaseSettings, existingDatabase } from './with-database.ts';

const countedRows = ({ books, customers, orders }: Counts): string =>
  [counted(books, 'book'), counted(customers, 'customer'), counted(orders, 'order')].join(', ');

async function finishRestore(db: Db, { revoked, erased, blocked }: Reapplied): Promise<void> {
  const record = async (action: Action, subjects: readonly string[]) => {
    for (const subject of subjects) await recordActivity(db, action, commandActor, { subject });
  };
  await record('token-revoked', revoked);
  await record('customer-erased', erased);
  await record('customer-blocked', blocked);
  await sweepErasures(db);
}

export const databaseCommands = {
  'database backup': command({
    purpose:
      'Writes the whole database to FILE, beside a running store, and checks it. If FILE is a folder, the backup gets a name with ' +
      'the time in it.',
    options: {
      force: flag('replace FILE if it exists'),
      keep: wholeNumber('in a folder: then remove the oldest backups beyond this number; 0 removes none', 0),
      json,
    },
    operands: ['FILE'],
    async run({ force: isForced, keep }, io, [given = '']) {
      const isFolder = (await stat(given).catch(() => undefined))?.isDirectory() === true;
      if (keep > 0 && !isFolder) throw new UsageError(`--keep: ${given} is no folder. Make it first.`);
      const settings = existingDatabase(io);
      const file = isFolder ? timedFile(given) : given;
      const { startedAt, bytes, ...counts } = await withMeter(io, (onStep) =>
        backUp(settings, file, { isForced, onStep }),
      );
      if (keep > 0) await removeOldest(given, keep);
      return {
        json: { file, bytes, startedAt: timeText(startedAt), ...counts },
        lines: [`${file}: ${grouped(bytes)} bytes, ${countedRows(counts)}`],
      };
    },
  }),
  'database restore': command({
    purpose:
      'Checks a backup, and puts it in the place of the database. No store may run. All customers sign in again. Tokens that were ' +
      'revoked since, and customers who were blocked or erased, stay so.',
    options: { force: flag('replace a database that has a store; it is kept aside'), json },
    operands: ['FILE'],
    async run({ force: isForced }, io, [file = '']) {
      const { replaced, again, notes, ...counts } = await withMeter(io, (onStep) =>
        restore(databaseSettings(io), file, { isForced, onStep, finish: finishRestore }),
      );
      const kept = replaced === undefined ? '' : `; what was there is kept as ${replaced}`;
      const { revoked, erased, blocked } = again;
      const tokens = revoked.length === 0 ? 'no token revoked' : `revoked ${revoked.join(', ')}`;
      const customers = `${erased.length} erased, ${blocked.length} blocked`;
      return {
        json: { ...counts, replaced: replaced ?? null, again, notes },
        lines: [
          `restored ${countedRows(counts)}${kept}`,
          ...(replaced === undefined
            ? []
            : [`done again, as it was done after the backup: ${tokens}; customers: ${customers}`]),
          ...notes,
        ],
      };
    },
  }),
  'database check': command({
    purpose:
      'Looks for faults: in the tables, the search, images and copies. It changes nothing, and a store may run.',
    options: { json },
    async run(_values, io) {
      const settings = existingDatabase(io);
      await using db = await openUnlimited(settings);
      const work = () => withMeter(io, (onStep) => Array.fromAsync(checkDatabase(db, onStep)));
      const findings = await explained(settings, work);
      return {
        json: findings,
        lines: findings.map(({ name, checked, faultCount }) =>
          [`${name}: ${checked}`, ...(faultCount === 0 ? [] : [`${grouped(faultCount)} wrong`])].join(', '),
        ),
        notes: findings.flatMap(({ name, faults, faultCount: all }) => [
          ...faults,
          ...(all > faults.length ? [`and ${grouped(all - faults.length)} more of ${name}`] : []),
        ]),
        failure: findings.some(({ faultCount }) => faultCount > 0),
      };
    },
  }),
  'database copy': command({
    purpose:
      'Copies everything from the SQLite database of DATABASE_URL to an empty PostgreSQL, and compares. No store may run. ' +
      'After an interruption it begins anew.',
    options: {
      to: text('the empty database: postgres://…; its password may be in PGPASSWORD instead', 'url'),
      json,
    },
    async run({ to = '' }, io) {
      const target = isPostgresUrl(to) ? readDatabaseSettings({ DATABASE_URL: to }) : undefined;
      // The message leaves out the value, which may have a password.
      if (target?.engine !== 'postgres') throw new OptionError('--to: must be postgres://…');
      const settings = existingDatabase(io);
      if (settings.engine !== 'sqlite') throw new StartError('DATABASE_URL: names no SQLite database.');
      const tables = await withMeter(io, (onStep) => copyToPostgres(settings, target, onStep));
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const copied = `${counted(tables.length, 'table')} with ${counted(rows, 'row')}`;
      return {
        json: tables,
        lines: [`copied ${copied}, and compared each. Now set DATABASE_URL to the new database.`],
      };
    },
  }),
};

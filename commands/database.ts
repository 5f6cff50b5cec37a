/** `shop database`: backups, checks and moves of the whole database. */

import { stat } from 'node:fs/promises';
import { counted } from '../contract/counted.ts';
import type { Action } from '../contract/desk/activity.ts';
import { commandActor, recordActivity } from '../server/activity/activity.ts';
import { sweepErasures } from '../server/customers/erase-customer.ts';
import { backUp } from '../server/database/archive/back-up.ts';
import { copyToPostgres } from '../server/database/archive/copy.ts';
import type { Reapplied } from '../server/database/archive/ended.ts';
import { restore } from '../server/database/archive/restore.ts';
import type { Finding } from '../server/database/findings.ts';
import { openUnlimited } from '../server/database/open.ts';
import { explained } from '../server/database/open-error.ts';
import type { PostgresSettings } from '../server/database/postgres/pools.ts';
import type { Db } from '../server/database/tables.ts';
import { timeText } from '../server/database/times.ts';
import { removeOldest, timedFile } from '../server/database/whole-file.ts';
import { checkDatabase } from '../server/operations/check/check-database.ts';
import { readDatabaseSettings } from '../server/settings/settings.ts';
import { StartError } from '../server/start-error.ts';
import { flag, OptionError, value, wholeNumber } from '../tools/options.ts';
import { command, type Io, UsageError } from './command.ts';
import { grouped, openMeter, printable, printJson } from './print.ts';
import { databaseSettings, requireFile } from './with-database.ts';

const backup = command({
  purpose:
    'Writes the whole database to FILE, beside a running store, and checks it. If FILE is a folder, the backup gets a name with the ' +
    'time in it.',
  options: {
    force: flag('replace FILE if it exists'),
    keep: wholeNumber('in a folder: then remove the oldest backups beyond this number; 0 removes none', 0),
    json: flag('print one JSON object'),
  },
  operands: ['FILE'],
  async run({ force: isForced, keep, json }, io, [given = '']) {
    const isFolder = await stat(given).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (keep > 0 && !isFolder) throw new UsageError(`--keep: ${given} is no folder. Make it first.`);
    const settings = databaseSettings(io);
    requireFile(settings);
    const file = isFolder ? timedFile(given) : given;
    const done = await withMeter(io, (onStep) => backUp(settings, file, { isForced, onStep }));
    if (keep > 0) await removeOldest(given, keep);
    const { startedAt, bytes, ...counts } = done;
    if (json) printJson(io, { file, bytes, startedAt: timeText(startedAt), ...counts });
    else io.stdout.write(`${file}: ${grouped(bytes)} bytes, ${countedRows(counts)}\n`);
  },
});

const countedRows = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([table, count]) => counted(count, table.slice(0, -1)))
    .join(', ');

const restoreFile = command({
  purpose:
    'Checks a backup, and puts it in the place of the database. No store may run. All customers sign in again. Tokens that were ' +
    'revoked since, and customers who were blocked or erased, stay so.',
  options: {
    force: flag('replace a database that has a store; it is kept aside'),
    json: flag('print one JSON object'),
  },
  operands: ['FILE'],
  async run({ force: isForced, json }, io, [file = '']) {
    const { replaced, again, notes, ...counts } = await withMeter(io, (onStep) =>
      restore(databaseSettings(io), file, { isForced, onStep, finish: finishRestore }),
    );
    if (json) return printJson(io, { ...counts, replaced: replaced ?? null, again, notes });
    const kept = replaced === undefined ? '' : `; what was there is kept as ${replaced}`;
    const { revoked, erased, blocked } = again;
    const tokens = revoked.length === 0 ? 'no token revoked' : `revoked ${revoked.map(printable).join(', ')}`;
    const customers = `${erased.length} erased, ${blocked.length} blocked`;
    const lines = [
      `restored ${countedRows(counts)}${kept}`,
      `done again, as it was done after the backup: ${tokens}; customers: ${customers}`,
      ...notes,
    ];
    io.stdout.write(`${lines.join('\n')}\n`);
  },
});

const restoredActions: Readonly<Record<keyof Reapplied, Action>> = {
  revoked: 'token-revoked',
  erased: 'customer-erased',
  blocked: 'customer-blocked',
};

async function finishRestore(db: Db, again: Reapplied): Promise<void> {
  for (const [kind, subjects] of Object.entries(again)) {
    const action = restoredActions[kind as keyof Reapplied];
    for (const subject of subjects) await recordActivity(db, action, commandActor, { subject });
  }
  await sweepErasures(db);
}

/** `share`: of the step, from 0 to 1. */
type OnStep = (step: string, share?: number) => void;

async function withMeter<Result>(io: Io, work: (onStep: OnStep) => Promise<Result>): Promise<Result> {
  const meter = openMeter(io);
  const onStep: OnStep = (step, share) =>
    meter.show(step, () =>
      share === undefined ? step : `${step}, ${Math.min(99, Math.floor(share * 100))} %`,
    );
  return await work(onStep).finally(meter.clear);
}

const check = command({
  purpose:
    'Looks for faults: in the tables, references, the search, images and sales. It changes nothing, and a store may run.',
  options: { json: flag('print one JSON array') },
  async run({ json }, io) {
    const settings = databaseSettings(io);
    requireFile(settings);
    const findings: Finding[] = [];
    const { db, close } = await openUnlimited(settings);
    const work = withMeter(io, async (onStep) => {
      for await (const finding of checkDatabase(db, onStep)) {
        findings.push(finding);
      }
    });
    await explained(settings, () => work).finally(close);
    for (const { name, checked, faults, faultCount } of findings) {
      const wrong = faultCount === 0 ? '' : `, ${grouped(faultCount)} wrong`;
      if (!json) io.stdout.write(`${name}: ${checked}${wrong}\n`);
      for (const fault of faults) io.stderr.write(`${printable(fault)}\n`);
      if (faultCount > faults.length) {
        io.stderr.write(`and ${grouped(faultCount - faults.length)} more of ${name}\n`);
      }
    }
    if (json) printJson(io, findings);
    return findings.some(({ faultCount }) => faultCount > 0) ? 1 : 0;
  },
});

const targetUrl = value(
  'the empty database: postgres://…; its password may be in PGPASSWORD instead',
  'url',
  (url): PostgresSettings => {
    // The messages leave out the value, which may have a password.
    if (!/^postgres(ql)?:\/\//.test(url)) throw new OptionError('must be postgres://…');
    try {
      const settings = readDatabaseSettings({ DATABASE_URL: url });
      if (settings.engine === 'postgres') return settings;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
    }
    throw new OptionError('is no address of PostgreSQL');
  },
);

const copy = command({
  purpose:
    'Copies everything from the SQLite database of DATABASE_URL to an empty PostgreSQL, and compares. No store may run. ' +
    'After an interruption it begins anew.',
  options: { to: targetUrl, json: flag('print one JSON array, with the checksum of each table') },
  async run({ to, json }, io) {
    if (!to) throw new OptionError('--to: must be postgres://…');
    const settings = databaseSettings(io);
    if (settings.engine !== 'sqlite') throw new StartError('DATABASE_URL: names no SQLite database.');
    requireFile(settings);
    const tables = await withMeter(io, (onStep) => copyToPostgres(settings, to, onStep));
    if (json) return printJson(io, tables);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    io.stdout.write(
      `copied ${counted(tables.length, 'table')} with ${counted(rows, 'row')}, and compared each. Now set DATABASE_URL to the new database.\n`,
    );
  },
});

export const databaseCommands = {
  'database backup': backup,
  'database restore': restoreFile,
  'database check': check,
  'database copy': copy,
};

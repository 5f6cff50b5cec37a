/** `shop database`: backups, checks and moves of the whole database. */

import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Action } from '../../contract/desk-activity.ts';
import { commandActor, recordActivity } from '../../server/activity/activity.ts';
import { sweepErasures } from '../../server/customers/erase-customer.ts';
import type { Again, UnknownEnded } from '../../server/database/backup/apply-again.ts';
import { type Backup, backUp } from '../../server/database/backup/back-up.ts';
import { explained } from '../../server/database/backup/explained.ts';
import { restore } from '../../server/database/backup/restore.ts';
import { removeOldest, timedFile } from '../../server/database/backup/whole-file.ts';
import { copyToPostgres } from '../../server/database/copy/copy-to-postgres.ts';
import { openUnlimited } from '../../server/database/open-unlimited.ts';
import type { PostgresSettings } from '../../server/database/postgres.ts';
import type { Db } from '../../server/database/tables.ts';
import { checkDatabase } from '../../server/operations/check/check-database.ts';
import type { Finding } from '../../server/operations/check/findings.ts';
import { readDatabaseSettings } from '../../server/settings.ts';
import { StartError } from '../../server/start-error.ts';
import { flag, type Option, OptionError, readCommand, readOptions, wholeNumber } from '../options.ts';
import { grouped } from './meter.ts';
import { printable } from './printable.ts';
import { openStepMeter } from './step-meter.ts';
import { UsageError } from './usage-error.ts';
import { databaseSettings } from './with-database.ts';

async function backup(args: readonly string[]): Promise<void> {
  const { values, operands } = readCommand(
    'npm run shop -- database backup',
    'Writes the whole database to FILE, beside a running store, and checks it. If FILE is a folder, the backup gets a name with the ' +
      'time in it. PostgreSQL needs pg_dump and pg_restore in PATH.',
    {
      options: {
        force: flag('replace FILE if it exists'),
        keep: wholeNumber(
          'in a folder: then remove the oldest backups beyond this number; 0 removes none',
          0,
        ),
        json: flag('print one JSON object'),
      },
      operands: ['FILE'],
    },
    args,
  );
  const [given = ''] = operands;
  const isFolder = await stat(given).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (values.keep > 0 && !isFolder) {
    throw new UsageError(`--keep: ${given} is no folder.`);
  }
  const settings = databaseSettings();
  const file = isFolder ? timedFile(given, settings.engine === 'sqlite' ? 'db' : 'dump') : given;
  const done = await withMeter((onStep) => backUp(settings, file, { isForced: values.force, onStep }));
  if (values.keep > 0) await removeOldest(given, values.keep);
  printBackup(file, done, values.json);
}

function printBackup(file: string, { startedAt, bytes, ...counts }: Backup, isJson: boolean): void {
  if (isJson) {
    const result = { file, bytes, startedAt: new Date(startedAt).toISOString(), ...counts };
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  process.stdout.write(`${file}: ${grouped(bytes)} bytes, ${counted(counts)}\n`);
}

const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([table, count]) => `${grouped(count)} ${table}`)
    .join(', ');

async function restoreFile(args: readonly string[]): Promise<void> {
  const { values, operands } = readCommand(
    'npm run shop -- database restore',
    'Checks a backup, and puts it in the place of the database. No store may run. All customers sign in again. Tokens that were ' +
      'revoked since, and customers who were blocked or erased, stay so. ' +
      'PostgreSQL needs pg_restore and psql in PATH.',
    {
      options: {
        force: flag('replace a database that has a store; it is kept aside'),
        json: flag('print one JSON object'),
      },
      operands: ['FILE'],
    },
    args,
  );
  const [file = ''] = operands;
  const { replaced, again, unknown, notes, ...counts } = await withMeter((onStep) =>
    restore(databaseSettings(), file, { isForced: values.force, onStep, finish: finishRestore }),
  );
  if (unknown !== undefined) notes.push(unknownEnded[unknown]);
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ ...counts, replaced: replaced ?? null, again, notes })}\n`);
    return;
  }
  const kept = replaced === undefined ? '' : `; what was there is kept as ${replaced}`;
  const { revoked, ...customers } = again;
  const tokens = revoked.length === 0 ? 'no token revoked' : `revoked ${revoked.map(printable).join(', ')}`;
  const ids = Object.entries(customers).map(([verb, ids]) => `${ids.length} ${verb}`);
  const done =
    unknown === undefined ? [`again, as since the backup: ${tokens}; customers: ${ids.join(', ')}`] : [];
  process.stdout.write([`restored ${counted(counts)}${kept}`, ...done, ...notes, ''].join('\n'));
}

const doAgain = 'Revoke tokens, block and erase customers again, as was done since the backup';
const unknownEnded: Readonly<Record<UnknownEnded, string>> = {
  none: `${doAgain}: there was no store to replace, which would know them.`,
  unreadable: `${doAgain}: the replaced database cannot be read.`,
  another: `${doAgain}: the replaced database is another store, or of a version that knew none of these.`,
  tooOld: `${doAgain}: the backup is of a version that knew none of these.`,
};

const restoredActions: Readonly<Record<keyof Again, Action>> = {
  revoked: 'token-revoked',
  erased: 'customer-erased',
  blocked: 'customer-blocked',
  unblocked: 'customer-unblocked',
};

async function finishRestore(db: Db, again: Again): Promise<void> {
  for (const [kind, subjects] of Object.entries(again)) {
    const action = restoredActions[kind as keyof Again];
    for (const subject of subjects) await recordActivity(db, action, commandActor, { subject });
  }
  await sweepErasures(db);
}

type OnStep = (step: string, bytes: number, share?: number) => void;

async function withMeter<Result>(work: (onStep: OnStep) => Promise<Result>): Promise<Result> {
  // What is written is for this user alone, from its first byte.
  process.umask(0o077);
  const meter = openStepMeter(process.stderr);
  return await work(meter.show).finally(meter.clear);
}

async function check(args: readonly string[]): Promise<void> {
  const { json } = readOptions(
    'npm run shop -- database check',
    'Looks for faults: in the tables, references, the search, images and sales. It changes nothing, and a store may run.',
    { json: flag('print one JSON array') },
    args,
  );
  const findings: Finding[] = [];
  await withUnlimitedDatabase(async (db, onStep) => {
    for await (const finding of checkDatabase(db, (name, share) => onStep(name, 0, share))) {
      findings.push(finding);
    }
  });
  for (const { name, checked, faults, faultCount } of findings) {
    if (!json)
      process.stdout.write(
        `${name}: ${checked}${faultCount === 0 ? '' : `, ${grouped(faultCount)} wrong`}\n`,
      );
    for (const fault of faults) process.stderr.write(`${printable(fault)}\n`);
    if (faultCount > faults.length) {
      process.stderr.write(`and ${grouped(faultCount - faults.length)} more of ${name}\n`);
    }
    if (faultCount > 0) process.exitCode = 1;
  }
  if (json) process.stdout.write(`${JSON.stringify(findings)}\n`);
}

async function withUnlimitedDatabase(work: (db: Db, onStep: OnStep) => Promise<void>): Promise<void> {
  const settings = databaseSettings();
  if (settings.engine === 'sqlite') requireFile(settings.file);
  const { db, close } = openUnlimited(settings);
  await explained(settings, () => withMeter((onStep) => work(db, onStep))).finally(close);
}

const targetUrl: Option<PostgresSettings> = {
  help: 'the empty database: postgres://…; its password may be in PGPASSWORD instead',
  valueName: 'url',
  read(texts) {
    const url = String(texts.at(-1) ?? '');
    // Without the value, which has a password.
    if (!/^postgres(ql)?:\/\//.test(url)) throw new OptionError('must be postgres://…');
    try {
      const settings = readDatabaseSettings({ DATABASE_URL: url });
      if (settings.engine === 'postgres') return settings;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
    }
    throw new OptionError('is no address of PostgreSQL');
  },
};

async function copy(args: readonly string[]): Promise<void> {
  const { to, json } = readOptions(
    'npm run shop -- database copy',
    'Copies everything from the SQLite database of DATABASE_URL to an empty PostgreSQL, and compares. No store may run. ' +
      'After an interruption it goes on.',
    { to: targetUrl, json: flag('print one JSON array, with the checksum of each table') },
    args,
  );
  const settings = databaseSettings();
  if (settings.engine !== 'sqlite') throw new StartError('DATABASE_URL: names no SQLite database.');
  requireFile(settings.file);
  const tables = await withMeter((onStep) => copyToPostgres(settings, to, onStep));
  if (json) {
    process.stdout.write(`${JSON.stringify(tables)}\n`);
    return;
  }
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(
    `copied ${grouped(tables.length)} tables with ${grouped(rows)} rows, and compared each. Now set DATABASE_URL to the new database.\n`,
  );
}

/** Opened, it would be created, empty. */
function requireFile(file: string): void {
  if (!existsSync(file)) throw new StartError(`DATABASE_URL: there is no database at ${file}.`);
}

export const databaseCommands = {
  'database backup': backup,
  'database restore': restoreFile,
  'database check': check,
  'database copy': copy,
};

/** `shop books import`: what a file would change, what it has changed, and how far it is when it ends early. */

import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { columnsInWords } from '../contract/book-fields.ts';
import { counted } from '../contract/counted.ts';
import type { ImportChange } from '../contract/desk/books.ts';
import { commandActor } from '../server/activity/activity.ts';
import { openImageWorker } from '../server/images/image-worker.ts';
import { type ImportProgress, importBooks, noProgress } from '../server/import/import-books.ts';
import type { ImportResult } from '../server/import/report.ts';
import { type ImagePolicy, storeImages } from '../server/import/row-images.ts';
import { readShopSettings } from '../server/settings/settings.ts';
import { StartError } from '../server/start-error.ts';
import { flag } from '../tools/options.ts';
import { command, type Io } from './command.ts';
import { grouped, openMeter, printable, printJson } from './print.ts';
import { withDatabase } from './with-database.ts';

/** Call it after `.env` was read. */
export const imagePolicy = ({ env }: Io): ImagePolicy => {
  const { publicUrl, imageOrigins } = readShopSettings(env);
  return { storeOrigin: publicUrl.origin, imageOrigins };
};

export const importFile = command({
  purpose:
    `Adds and changes books from a CSV file with the columns ${columnsInWords.required}, and ${columnsInWords.optional} if you like. ` +
    'An image is an https: address, one of the store, or a file in the folder of FILE. FILE may be - for standard input. ' +
    'The same file again changes nothing.',
  options: {
    'dry-run': flag('only check the file, and show what would change'),
    'fetch-images': flag('store the pictures at https: addresses, instead of the addresses'),
    json: flag('print one JSON object'),
  },
  operands: ['FILE'],
  async run({ 'dry-run': isDryRun, 'fetch-images': isFetching, json }, io, [file = '']) {
    const { source, totalBytes } = await openSource(file, io);
    const meter = openMeter(io);
    const worker = openImageWorker();
    const signal = io.stopSignal();
    // Standard input may be a terminal, where nothing more arrives.
    signal.addEventListener('abort', () => source.destroy(new Error('stopped')));
    let progress = noProgress;
    const result = await withDatabase(io, ({ db }) =>
      importBooks(db, source, {
        actor: commandActor,
        isDryRun,
        images: storeImages({
          db,
          worker,
          policy: imagePolicy(io),
          isDryRun,
          folder: file === '-' ? undefined : dirname(file),
          fetching: isFetching ? {} : undefined,
        }),
        totalBytes,
        onProgress(now) {
          progress = now;
          meter.show('', () => textOf(now));
        },
        signal,
      }),
    )
      .finally(() => {
        meter.clear();
        source.destroy();
        worker.close();
      })
      .catch((error: unknown) => {
        const howFar = isDryRun ? 'Nothing was changed.' : howFarIs(progress);
        if (signal.aborted) throw new StartError(`Stopped. ${howFar}`);
        if (progress.line > 0) io.stderr.write(`${howFar}\n`);
        throw error;
      });
    // Without the changes of a dry run: these are for people.
    if (json) printJson(io, { ...result, changes: undefined, restored: undefined });
    else printResult(io, result, isDryRun);
    return result.errorCount > 0 ? 1 : 0;
  },
});

function textOf({ rows, rowsPerSecond, secondsLeft: left }: ImportProgress): string {
  const clock = left === null ? '' : `, ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`;
  return `${grouped(rows)} rows, ${grouped(rowsPerSecond)} rows/s${clock}`;
}

const howFarIs = ({ line }: ImportProgress): string =>
  line === 0
    ? 'Nothing was imported.'
    : `Everything up to line ${grouped(line)} is done. Import the same file again: it goes on from there.`;

/** `totalBytes`: 0 if the size is not known. @throws {StartError} when the file cannot be opened. */
async function openSource(file: string, { stdin }: Io): Promise<{ source: Readable; totalBytes: number }> {
  if (file === '-') return { source: stdin, totalBytes: 0 };
  const opened = await open(file).catch(({ code }: NodeJS.ErrnoException) => {
    // npm runs a script in the folder of the store, wherever it was called.
    const isMissing = code === 'ENOENT';
    throw new StartError(
      isMissing ? `There is no file ${resolve(file)}.` : `${file} cannot be opened (${code}).`,
    );
  });
  const stats = await opened.stat();
  if (stats.isDirectory()) {
    await opened.close();
    throw new StartError(`${file} is a folder.`);
  }
  return { source: opened.createReadStream(), totalBytes: stats.size };
}

function printResult({ stdout, stderr }: Io, result: ImportResult, isDryRun: boolean): void {
  const { added, changed, restored, unchanged, errors, errorCount, missingImages } = result;
  const warnings = errors.map(
    ({ line, column, reason }) => `line ${line}${column === null ? '' : `, ${column}`}: ${reason}`,
  );
  warnings.push(...moreThan(errors, errorCount));
  if (missingImages > 0) {
    const books = `${counted(missingImages, 'book')} ${missingImages === 1 ? 'names' : 'name'}`;
    warnings.push(`${books} an image of the store that it does not have`);
  }
  if (warnings.length > 0) stderr.write(`${warnings.map(printable).join('\n')}\n`);
  const changes = result.changes.map(
    (change) => `line ${change.line}, ${change.title}: ${changesIn(change)}`,
  );
  if (isDryRun) changes.push(...moreThan(changes, changed));
  const counts = [
    `${grouped(added)} added`,
    `${grouped(changed - restored)} changed`,
    ...(restored > 0 ? [`${grouped(restored)} restored`] : []),
    `${grouped(unchanged)} unchanged`,
    `${grouped(errorCount)} wrong${isDryRun ? ' (nothing was done)' : ''}`,
  ];
  stdout.write(`${[...changes.map(printable), counts.join(', ')].join('\n')}\n`);
}

const moreThan = (listed: readonly unknown[], count: number): string[] =>
  count > listed.length ? [`and ${grouped(count - listed.length)} more`] : [];

/** @returns such as `price $12.99 → $10.99, keywords none → regency`. */
function changesIn({ isRestored, fields }: ImportChange): string {
  const shown = (name: string, value: string | null) =>
    value === null ? 'none' : name === 'price' ? `$${value}` : value;
  const changed = fields.map(({ name, from, to }) => `${name} ${shown(name, from)} → ${shown(name, to)}`);
  return [...(isRestored ? ['for sale again'] : []), ...changed].join(', ');
}

/** `shop books import`: reports what a file would change or has changed, and how far it came if it ended early. */

import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { columnsInWords } from '../contract/book-fields.ts';
import { counted } from '../contract/counted.ts';
import type { ImportChange } from '../contract/desk/books.ts';
import { type Money, moneyIn } from '../contract/price.ts';
import { commandActor } from '../server/activity/activity.ts';
import type { Db } from '../server/database/tables.ts';
import { openImageWorker } from '../server/images/image-worker.ts';
import { type ImportProgress, importBooks, noProgress } from '../server/import/import-books.ts';
import type { ImportResult } from '../server/import/report.ts';
import { type ImagePolicy, storeImages } from '../server/import/row-images.ts';
import { StartError } from '../server/start-error.ts';
import { flag } from '../tools/options.ts';
import { command, grouped, type Io, json, printLine, type Result, withMeter } from './command.ts';
import { shopSettings, withDatabase } from './with-database.ts';

export const catalogueRules = async (io: Io, db: Db): Promise<ImagePolicy & { money: Money }> => {
  const { publicUrl, imageOrigins, currency } = await shopSettings(io, db);
  return { storeOrigin: publicUrl.origin, imageOrigins, money: moneyIn(currency) };
};

export const importFile = command({
  purpose:
    `Adds and changes books from a CSV file with the columns ${columnsInWords.required}, and ${columnsInWords.optional} if you like. ` +
    'An image is an https: address, one of the store, or a file in the folder of FILE. FILE may be - for standard input. ' +
    'The same file again changes nothing.',
  options: {
    'dry-run': flag('only check the file, and show what would change'),
    'fetch-images': flag('store the pictures at https: addresses, instead of the addresses'),
    json,
  },
  operands: ['FILE'],
  async run({ 'dry-run': isDryRun, 'fetch-images': isFetching }, io, [file = '']) {
    await using opened = file === '-' ? undefined : await open(file).catch(() => undefined);
    const stats = await opened?.stat();
    // npm runs a script in the folder of the store, wherever npm was called.
    if (file !== '-' && stats?.isDirectory() !== false)
      throw new StartError(`There is no readable file ${resolve(file)}.`);
    const source = opened?.createReadStream() ?? io.stdin;
    const totalBytes = stats?.size ?? 0;
    const folder = file === '-' ? undefined : dirname(file);
    const fetching = isFetching ? {} : undefined;
    const worker = openImageWorker();
    const signal = io.stopSignal();
    // Standard input may be a terminal, which sends nothing more.
    signal.addEventListener('abort', () => source.destroy(new Error('stopped')));
    let progress = noProgress;
    const work = (onStep: (step: string, share?: number) => void) =>
      withDatabase(io, async ({ db }) => {
        const policy = await catalogueRules(io, db);
        const { money } = policy;
        const images = storeImages({ db, worker, policy, isDryRun, folder, fetching });
        const onProgress = (now: ImportProgress) => {
          progress = now;
          onStep(`${grouped(now.rows)} rows`, totalBytes ? now.bytes / totalBytes : undefined);
        };
        const options = { actor: commandActor, isDryRun, money, images, totalBytes, onProgress, signal };
        return resultOf(await importBooks(db, source, options), { isDryRun, money });
      });
    return await withMeter(io, work)
      .finally(() => {
        source.destroy();
        worker.close();
      })
      .catch((error: unknown) => {
        const upTo = `Everything up to line ${grouped(progress.line)} is done. Import the same file again: it goes on from there.`;
        const howFar = isDryRun ? 'Nothing was changed.' : progress.line > 0 ? upTo : 'Nothing was imported.';
        if (signal.aborted) throw new StartError(`Stopped. ${howFar}`);
        if (progress.line > 0) printLine(io.stderr, howFar);
        throw error;
      });
  },
});

function resultOf(result: ImportResult, { isDryRun, money }: { isDryRun: boolean; money: Money }): Result {
  const { added, changed, restored, unchanged, changes, errors, errorCount, missingImages } = result;
  const missing = `${counted(missingImages, 'book')} ${missingImages === 1 ? 'names' : 'name'}`;
  const counts = [
    `${grouped(added)} added`,
    `${grouped(changed - restored)} changed`,
    ...(restored > 0 ? [`${grouped(restored)} restored`] : []),
    `${grouped(unchanged)} unchanged`,
    `${grouped(errorCount)} wrong${isDryRun ? ' (nothing was done)' : ''}`,
  ];
  return {
    // JSON output omits the changes of a dry run, which are for people.
    json: { ...result, changes: undefined, restored: undefined },
    lines: [
      ...changes.map((change) => `line ${change.line}, ${change.title}: ${changesIn(change, money)}`),
      ...(isDryRun ? moreThan(changes, changed) : []),
      counts.join(', '),
    ],
    notes: [
      ...errors.map(({ line, column, reason }) => `line ${line}${column ? `, ${column}` : ''}: ${reason}`),
      ...moreThan(errors, errorCount),
      ...(missingImages > 0 ? [`${missing} an image of the store that it does not have`] : []),
    ],
    failure: errorCount > 0,
  };
}

const moreThan = (listed: readonly unknown[], count: number): string[] =>
  count > listed.length ? [`and ${grouped(count - listed.length)} more`] : [];

/** @returns changes such as `price $12.99 → $10.99, keywords none → regency`. */
function changesIn({ isRestored, fields }: ImportChange, { format }: Money): string {
  const shown = (name: string, value: string | null) =>
    value === null ? 'none' : name === 'price' ? format(Number(value)) : value;
  const changed = fields.map(({ name, from, to }) => `${name} ${shown(name, from)} → ${shown(name, to)}`);
  return [...(isRestored ? ['for sale again'] : []), ...changed].join(', ');
}

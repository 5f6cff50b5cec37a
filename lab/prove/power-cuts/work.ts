/**
 * The work of a shop, for a trace: its arguments are the work, a folder, and a file for what was acknowledged. A line is written to
 * that file once the work has its answer.
 */

import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { paths } from '../../../contract/paths.ts';
import { commandActor } from '../../../server/activity/activity.ts';
import { addBook } from '../../../server/catalogue/books.ts';
import { backUp } from '../../../server/database/archive/back-up.ts';
import { restore } from '../../../server/database/archive/restore.ts';
import { openDatabase, openUnlimited } from '../../../server/database/open.ts';
import { importBooks } from '../../../server/import/import-books.ts';
import { settingsOf } from '../../../server/testing/model/node.ts';
import { emma, openTestStore, orderOf, reader } from '../../../server/testing/test-store.ts';
import type { Fact, Work } from './cuts.ts';

const [work = '', folder = '', factsFile = ''] = process.argv.slice(2);
const facts = openSync(factsFile, 'a');
const tell = (fact: Fact) => writeSync(facts, `${JSON.stringify(fact)}\n`);
const settings = settingsOf(`sqlite:${join(folder, 'data', 'store.db')}`);
const backup = join(folder, 'backup.db');
const importedRows = 450;

async function openShop() {
  const owner = { adminEmails: [reader.email], hasRateLimits: false };
  const messages: string[] = [];
  const onLog = (line: string) => messages.push(JSON.parse(line).msg);
  const store = await openTestStore({ database: settings, settings: owner, onLog });
  const cookie = await store.signIn();
  const { db } = store.database;
  const order = async () => {
    const response = await store.call(paths.addOrder, { json: orderOf(emma), cookie });
    if (response.status === 503) return false;
    if (response.status !== 201) throw new Error(`an order got ${response.status}`);
    const { _id } = (await response.json()) as { _id: string };
    tell({ order: _id });
    return true;
  };
  const remove = async ({ id }: { id: string }) => {
    const response = await store.call(paths.deleteBook(id), { method: 'DELETE', cookie });
    if (response.ok) tell({ deleted: id });
    return response.ok;
  };
  return { db, order, remove, messages, close: store.close };
}

async function placeOrders(order: () => Promise<boolean>, count: number): Promise<void> {
  for (let placed = 0; placed < count; placed += 1) if (!(await order())) throw new Error('an order got 503');
}

async function restoreBackup(): Promise<void> {
  tell({ restoring: true });
  await restore(settings, backup, { isForced: true, onStep() {}, async finish() {} });
  tell({ restored: true });
  const { order, close } = await openShop();
  await placeOrders(order, 1);
  await close();
}

const shops: Readonly<Record<Work, () => Promise<void>>> = {
  async orders() {
    const { db, order, remove, close } = await openShop();
    await addBook(db, emma, null);
    await placeOrders(order, 12);
    await Promise.all(Array.from({ length: 8 }, () => placeOrders(order, 1)));
    for (const title of ['Persuasion', 'Sanditon']) {
      if (!(await remove(await addBook(db, { ...emma, title }, null)))) throw new Error('a deletion failed');
    }
    await close();
  },
  async import() {
    const { db, order, close } = await openShop();
    await addBook(db, emma, null);
    const command = await openUnlimited(settings);
    const rows = Array.from({ length: importedRows }, (_, row) => `Import ${row},Anon,${emma.image},9.99`);
    const source = Readable.from([Buffer.from(['title,author,image,price', ...rows, ''].join('\n'))]);
    const orders: Promise<void>[] = [];
    await importBooks(command, source, {
      actor: commandActor,
      isDryRun: false,
      images: { keep: (image) => image },
      onCommitted: () => orders.push(placeOrders(order, 1)),
      onProgress: ({ line }) => tell({ imported: Math.max(0, line - 1) }),
    });
    tell({ importedAll: importedRows });
    await Promise.all(orders);
    await command.destroy();
    await placeOrders(order, 1);
    await close();
  },
  async backup() {
    const { db, order, close } = await openShop();
    await addBook(db, emma, null);
    await placeOrders(order, 3);
    for (const _ of [1, 2]) {
      await backUp(settings, backup, { isForced: true, onStep() {} });
      tell({ backup: true });
      await placeOrders(order, 1);
    }
    await close();
  },
  restore: restoreBackup,
  'first restore': restoreBackup,
  async migration() {
    const { close } = await openDatabase(settings);
    await close();
    const { db, order, close: closeShop } = await openShop();
    await addBook(db, emma, null);
    await placeOrders(order, 1);
    await closeShop();
  },
  async 'failing disk'() {
    const { db, order, remove, messages, close } = await openShop();
    const placed: boolean[] = [];
    for (let round = 0; round < 8; round += 1) {
      placed.push(await order());
      placed.push(...(await Promise.all(Array.from({ length: 4 }, order))));
      const book = await addBook(db, { ...emma, title: `Sanditon ${round}` }, null).catch(() => undefined);
      if (book) await remove(book);
    }
    if (new Set(placed).size !== 2) throw new Error('no order failed, or each');
    await close();
    for (const message of ['requests are refused', 'requests are no longer refused']) {
      if (!messages.includes(message)) throw new Error(`the log does not say: ${message}`);
    }
  },
};

await shops[work as Work]();

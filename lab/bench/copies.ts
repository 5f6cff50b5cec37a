/** The section of copies: orders of books with a number of copies, beside orders of books without one. */

import { engineOf } from '../../server/database/engine.ts';
import { openDatabase } from '../../server/database/open.ts';
import { readSettings } from '../../server/settings/settings.ts';
import { runStatements } from '../../server/testing/postgres-server.ts';
import { type Bench, fewBooks, newRow, rateTarget, type Section } from './bench.ts';
import * as calls from './calls.ts';
import { engines, type FilledDatabase } from './databases.ts';
import { startStores, storeOn } from './processes.ts';
import { loadTable } from './tables.ts';
import { measureByWrk } from './wrk.ts';

const buyers = 64;
/** More than are sold in all rounds. */
const stock = 300_000;

/** Gives each of these books so many copies. */
async function fillUp(
  { engine, url }: FilledDatabase,
  books: readonly { id: string }[],
  each: number,
): Promise<void> {
  const { db, close } = await openDatabase(readSettings({ DATABASE_URL: url }).database);
  await db.transaction().execute(async (db) => {
    for (const { id } of books) {
      for (let copy = 0; copy < each; copy += 1_000) {
        const rows = Array.from({ length: Math.min(1_000, each - copy) }, () => ({ book_id: id }));
        await db.insertInto('copies').values(rows).execute();
      }
    }
    const ids = books.map(({ id }) => id);
    await db.updateTable('books').set({ copies_left: 4 }).where('id', 'in', ids).execute();
  });
  // Otherwise the engine would do this work during the measurement.
  await engineOf(db).forgetDeletedText(db);
  await close();
  if (engine === 'PostgreSQL') await runStatements(url, 'vacuum analyze', 'checkpoint');
}

export async function measureCopies(bench: Bench): Promise<Section> {
  const databases = await bench.fill(fewBooks);
  const stores = await startStores(bench, databases, 'copies');
  const pairs = [];
  for (const engine of engines) {
    const { chosenBooks } = databases[engine];
    const half = chosenBooks.length / 2;
    const [without, having] = [chosenBooks.slice(0, half), chosenBooks.slice(half)];
    await fillUp(databases[engine], having.slice(0, 1), stock);
    await fillUp(databases[engine], having.slice(1), Math.ceil(stock / half));
    for (const { what, books, connections } of [
      { what: 'one buyer, one book', books: 1, connections: 1 },
      { what: `${buyers} buyers, one book`, books: 1, connections: buyers },
      { what: `${buyers} buyers, ${half} books`, books: half, connections: buyers },
    ]) {
      const row = (name: string, chosen: FilledDatabase['chosenBooks']) => {
        const kinds = [calls.order({ ...databases[engine], chosenBooks: chosen.slice(0, books) })];
        return newRow(`${storeOn(engine)}, ${what}${name}`, (seconds) =>
          measureByWrk(stores[engine], kinds, seconds, connections),
        );
      };
      pairs.push({ plain: row('', without), counted: row(', with copies', having) });
    }
  }
  await bench.measure(
    'copies',
    pairs.flatMap(({ plain, counted }) => [plain, counted]),
  );
  return {
    title: 'Copies',
    text: loadTable(pairs.flatMap(({ plain, counted }) => [plain, counted])),
    targets: pairs.map(({ plain, counted }) => ({
      ...rateTarget('`POST /addOrder`', plain, counted),
      max: 1.3,
    })),
  };
}

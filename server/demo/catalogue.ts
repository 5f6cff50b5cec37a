import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageAddress } from '../../contract/image-address.ts';
import { fullImageWidth } from '../../contract/image-widths.ts';
import { searchedColumns } from '../catalogue/book-columns.ts';
import { addBook, hasAnyBook } from '../catalogue/books.ts';
import type { Db } from '../database/tables.ts';
import { imageIdOf, storeImage } from '../images/images.ts';
import { countWords } from '../search/words.ts';
import { renderPage } from '../shop-pages/markdown.ts';
import { type DemoBook, demoBooks, demoTable } from './books.ts';
import demoPages from './pages.json' with { type: 'json' };

/** The demo's own artwork, at full width. The image worker makes the other widths. */
export const coversFolder = join(import.meta.dirname, 'covers');

export const coverFile = ({ cover }: DemoBook): string => join(coversFolder, `${cover}.webp`);

const coverId = ({ title, author }: DemoBook): string => imageIdOf(`cover of ${title} by ${author}`);
const coverAddress = (book: DemoBook): string => imageAddress(coverId(book));

/** In a currency without decimals, the demo's prices are a hundred times as high: 12.99 are 1,299 yen. */
export async function fillCatalogue(db: Db, stepCents = 1): Promise<void> {
  await db.transaction().execute(async (db) => {
    if (await hasAnyBook(db)) return;
    const { covers, ...words } = demoTable;
    const now = Date.now();
    // The store lists the newest book first; this list is in the order in which visitors see the books.
    for (const book of demoBooks.toReversed()) {
      const { cover, priceCents, ...details } = book;
      const { id } = await addBook(
        db,
        { ...details, priceCents: priceCents * stepCents, image: coverAddress(book) },
        null,
      );
      const renditions = [{ width: fullImageWidth, bytes: await readFile(coverFile(book)) }];
      const size = { width: fullImageWidth, height: 1.5 * fullImageWidth };
      await storeImage(db, { id: coverId(book), ...size, renditions });
      if (!covers.includes(cover)) continue;
      const front_table_at = now + covers.indexOf(cover);
      await db.updateTable('books').set({ front_table_at }).where('id', '=', id).execute();
    }
    await db.updateTable('front_table').set(words).execute();
    if (await db.selectFrom('pages').select('seq').limit(1).executeTakeFirst()) return;
    const rows = demoPages.map((page) => {
      const { title } = renderPage(page.markdown);
      return { ...page, title, is_removed: 0, at: now };
    });
    await db.insertInto('pages').values(rows).execute();
  });
}

/** Removes the demo's books and pages from a store that ran in demo mode before. A book with an admin in `added_by` stays. @returns how many were removed. */
export async function removeDemoBooks(db: Db): Promise<number> {
  return await db.transaction().execute(async (db) => {
    const removed = await db
      .updateTable('books')
      .set({ removed_at: Date.now() })
      .where('image', 'in', demoBooks.map(coverAddress))
      .where('added_by', 'is', null)
      .where('removed_at', 'is', null)
      .returning([...searchedColumns, 'is_indexed'])
      .execute();
    await countWords(db, { leave: removed.filter(({ is_indexed }) => is_indexed) });
    // The front table has the demo's words, unless the owner has written others.
    await db
      .updateTable('front_table')
      .set({ heading: '', words: '' })
      .where('heading', '=', demoTable.heading)
      .where('words', '=', demoTable.words)
      .execute();
    const texts = demoPages.map(({ markdown }) => markdown);
    await db.deleteFrom('pages').where('markdown', 'in', texts).execute();
    return removed.length;
  });
}

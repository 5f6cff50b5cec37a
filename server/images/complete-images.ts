/**
 * The widths and the colours that images lack: the demo's, which come in one width, and those that an older version stored. An upload
 * has all of them from the start.
 */

import type { ExpressionBuilder } from 'kysely';
import { fullImageWidth, imageWidths } from '../../contract/image-widths.ts';
import type { Db, Tables } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { ImageWorker } from './image-worker.ts';
import { addRenditions, findRendition } from './images.ts';
import type { ConvertedImage } from './renditions.ts';

/** The images that are written together: on SQLite each write waits for the disk. */
const imagesPerStep = 20;

const isIncomplete = ({ eb, or, selectFrom }: ExpressionBuilder<Tables, 'images'>) =>
  or([
    eb('colour', 'is', null),
    eb(
      selectFrom('image_renditions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('image_id', '=', 'images.id'),
      '<',
      imageWidths.length,
    ),
  ]);

/**
 * Makes what is missing from the widest file, one image at a time, so that uploads have the other process. Several nodes may do it at
 * once.
 * @returns how many images are complete now.
 */
export async function completeImages(db: Db, worker: ImageWorker, signal: AbortSignal): Promise<number> {
  let completed = 0;
  for (let after = ''; !signal.aborted; ) {
    const images = await db
      .selectFrom('images')
      .select('id')
      .where(isIncomplete)
      .where('id', '>', after)
      .orderBy('id')
      .limit(imagesPerStep)
      .execute();
    const last = images.at(-1);
    if (!last) break;
    const made: (ConvertedImage & { id: string })[] = [];
    for (const { id } of images) {
      if (signal.aborted) return completed;
      const image = await resize(db, worker, id);
      if (image) made.push({ ...image, id });
    }
    await db.transaction().execute(async (db) => {
      for (const { id, renditions, colour } of made) {
        await db
          .updateTable('images')
          .set({ colour: colour ?? null })
          .where('id', '=', id)
          .execute();
        await addRenditions(db, id, renditions);
      }
    });
    completed += made.length;
    after = last.id;
  }
  return completed;
}

/** @returns undefined for an image without a file that can be read, which `shop database check` reports. */
async function resize(db: Db, worker: ImageWorker, id: string): Promise<ConvertedImage | undefined> {
  const bytes = await findRendition(db, id, fullImageWidth);
  try {
    return bytes && (await worker.resize(bytes));
  } catch (error) {
    if (error instanceof Problem && error.code === 'UNAVAILABLE') throw error;
    return undefined;
  }
}

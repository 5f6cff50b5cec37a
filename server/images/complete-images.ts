/**
 * The widths and colours that images lack: the demo's, which come in one width, and those that an older version stored. An upload
 * has all of them from the start.
 */

import type { ExpressionBuilder } from 'kysely';
import { fullImageWidth, imageWidths } from '../../contract/image-widths.ts';
import type { Db, Tables } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { ImageWorker } from './image-worker.ts';
import { addRenditions, findRendition } from './images.ts';

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
 * Makes what is missing from the widest file, one image at a time, so that uploads have the other process. Several nodes may do it at once.
 * @returns how many images are complete now.
 * @throws {Problem} UNAVAILABLE where nothing can be converted. An image whose file cannot be read is left to `shop database check`.
 */
export async function completeImages(db: Db, worker: ImageWorker, signal: AbortSignal): Promise<number> {
  const images = await db.selectFrom('images').select('id').where(isIncomplete).execute();
  let completed = 0;
  for (const { id } of images) {
    if (signal.aborted) break;
    const file = await findRendition(db, id, fullImageWidth);
    const image = file && (await worker.convert(file.bytes).catch(throwUnavailable));
    if (!image) continue;
    await addRenditions(db, id, image.renditions);
    await db
      .updateTable('images')
      .set({ colour: image.colour ?? null })
      .where('id', '=', id)
      .execute();
    completed += 1;
  }
  return completed;
}

const throwUnavailable = (error: unknown): undefined => {
  if (!(error instanceof Problem) || error.code === 'UNAVAILABLE') throw error;
};

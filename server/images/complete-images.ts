import { fullImageWidth } from '../../contract/image-widths.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { ImageWorker } from './image-worker.ts';
import { addRenditions, findRendition } from './images.ts';

/**
 * Finds the colour of each image that has none, and makes its other widths: those of the demo, and of older versions. One image at a time,
 * so that uploads have the other process. An image that cannot be read is left to `shop database check`.
 * @returns how many images are complete now.
 */
export async function completeImages(db: Db, worker: ImageWorker, signal: AbortSignal): Promise<number> {
  const images = await db.selectFrom('images').select('id').where('colour', 'is', null).execute();
  let completed = 0;
  for (const { id } of images) {
    if (signal.aborted) break;
    const file = await findRendition(db, id, fullImageWidth);
    const image = file && (await worker.convert(file.bytes).catch(throwUnavailable));
    if (!image) continue;
    await addRenditions(db, id, image.renditions);
    await db.updateTable('images').set({ colour: image.colour }).where('id', '=', id).execute();
    completed += 1;
  }
  return completed;
}

const throwUnavailable = (error: unknown): undefined => {
  if (!(error instanceof Problem) || error.code === 'UNAVAILABLE') throw error;
};

/** The colours of images that an older version stored, and of the demo's. An upload has its colour from the start. */

import { imageWidths } from '../../contract/image-widths.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { ImageWorker } from './image-worker.ts';
import { findRendition } from './images.ts';

/** The images whose colours are written together: on SQLite each write waits for the disk. */
const imagesPerStep = 20;

/**
 * Finds the colours that are missing, one image at a time, so that uploads have the other process. Several nodes may do it at once.
 * @returns how many were found.
 */
export async function colourImages(db: Db, worker: ImageWorker, signal: AbortSignal): Promise<number> {
  let found = 0;
  for (let after = ''; !signal.aborted; ) {
    const images = await db
      .selectFrom('images')
      .select('id')
      .where('colour', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(imagesPerStep)
      .execute();
    const last = images.at(-1);
    if (!last) break;
    const colours: { id: string; colour: string }[] = [];
    for (const { id } of images) {
      if (signal.aborted) return found;
      const colour = await colourOf(db, worker, id);
      if (colour !== undefined) colours.push({ id, colour });
    }
    await db.transaction().execute(async (db) => {
      for (const { id, colour } of colours)
        await db.updateTable('images').set({ colour }).where('id', '=', id).execute();
    });
    found += colours.length;
    after = last.id;
  }
  return found;
}

/** @returns undefined for an image without a file that can be read, which `shop database check` reports. */
async function colourOf(db: Db, worker: ImageWorker, id: string): Promise<string | undefined> {
  const bytes = await findRendition(db, id, imageWidths[0]);
  try {
    return bytes && (await worker.colourOf(bytes));
  } catch (error) {
    if (error instanceof Problem) throw error;
    return undefined;
  }
}

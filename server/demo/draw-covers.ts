/**
 * The process that draws the demo books' covers, those that are not there yet. It opens the database as any other writer
 * would, so that neither the fonts nor the image library stay in the store's own memory.
 */

import limitConcurrency from 'p-limit';
import { openDatabase } from '../database/open.ts';
import { keepImage } from '../images/images.ts';
import { renderDrawing } from '../images/rendering.ts';
import { readSettings } from '../settings.ts';
import { listMissingCovers } from './catalogue.ts';
import { drawCover } from './covers.ts';

const database = await openDatabase(readSettings(process.env).database);
const { db } = database;
await limitConcurrency(2).map(await listMissingCovers(db), async ({ book, imageId }) => {
  await keepImage(db, imageId, await renderDrawing(drawCover(book)));
});
await database.close();

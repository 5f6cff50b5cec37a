/**
 * The process that draws the demo books' covers, those that are not there yet. It opens the database as any other writer
 * would, so that neither the fonts nor the image library stay in the store's own memory.
 */

import { once } from 'node:events';
import limitConcurrency from 'p-limit';
import { type DatabaseSettings, openDatabase } from '../database/open.ts';
import { renderDrawing } from '../images/convert-upload.ts';
import { storeImage } from '../images/images.ts';
import { listMissingCovers } from './catalogue.ts';
import { drawCover } from './covers.ts';

const [settings] = (await once(process, 'message')) as [DatabaseSettings];
// Nothing more is said: the channel alone would keep this process alive.
process.disconnect();
const database = await openDatabase(settings);
const { db } = database;
await limitConcurrency(2).map(await listMissingCovers(db), async ({ book, imageId }) => {
  await storeImage(db, imageId, await renderDrawing(drawCover(book)));
});
await database.close();

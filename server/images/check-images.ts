import { counted } from '../../contract/counted.ts';
import { fullImageWidth } from '../../contract/image-widths.ts';
import { collectFaults, type Finding } from '../database/findings.ts';
import type { Db } from '../database/tables.ts';
import { imageIdOf } from './images.ts';

const pageSize = 100;

/** Checks the files of each stored image: their headers, and the hash of the widest one where that is the image's id. */
export async function checkImages(db: Db, onShare: (share: number) => void): Promise<Finding> {
  const faults = collectFaults();
  let images = 0;
  let files = 0;
  for (let after = ''; ; ) {
    const page = await db
      .selectFrom('images')
      .select(['id', 'uploaded_by'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    const last = page.at(-1)?.id;
    if (last === undefined) break;
    for (const image of page) {
      const { count, fault } = await checkImage(db, image);
      files += count;
      if (fault !== undefined) faults.add(`The image ${image.id} ${fault}.`);
    }
    images += page.length;
    after = last;
    // Ids are hashes, evenly distributed.
    onShare(Number.parseInt(last.slice(0, 6), 16) / 0xffffff);
  }
  return faults.finding('images', `${counted(images, 'image')}, ${counted(files, 'file')}`);
}

async function checkImage(
  db: Db,
  { id, uploaded_by }: { id: string; uploaded_by: string | null },
): Promise<{ count: number; fault?: string }> {
  const files = await db
    .selectFrom('image_renditions')
    .select(['width', 'bytes'])
    .where('image_id', '=', id)
    .orderBy('width')
    .execute();
  const { length: count } = files;
  const widest = files.at(-1);
  // Between the two reads the store may have swept it.
  if (!widest && !(await exists(db, id))) return { count };
  if (widest?.width !== fullImageWidth) return { count, fault: `has no file of ${fullImageWidth} pixels` };
  const bad = files.find(({ bytes }) => !isWebp(bytes));
  if (bad) return { count, fault: `has a file of ${bad.width} pixels that is no whole WebP file` };
  // The demo's, and those of an older version, have the hash of something else.
  if (uploaded_by !== null && imageIdOf(widest.bytes) !== id) {
    return { count, fault: 'has a widest file whose hash is another' };
  }
  return { count };
}

const exists = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

/** @returns true for the header of WebP, with the file's length in it (RFC 9649, section 2.4). */
function isWebp(file: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  return (
    bytes.length >= 20 &&
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.toString('latin1', 8, 15) === 'WEBPVP8' &&
    bytes.readUInt32LE(4) + 8 === bytes.length
  );
}

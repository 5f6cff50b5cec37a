import { counted } from '../../contract/counted.ts';
import { fullImageWidth } from '../../contract/image-widths.ts';
import { collectFaults, type Finding } from '../database/findings.ts';
import type { Db } from '../database/tables.ts';
import { imageIdOf } from './images.ts';

/** Checks the files of each stored image: their headers, and the hash of the widest one where that is the image's id. */
export async function checkImages(db: Db, onShare: (share: number) => void): Promise<Finding> {
  const faults = collectFaults();
  let [images, files] = [0, 0];
  for (let found = await nextImage(db, ''); found[0]; found = await nextImage(db, found[0].id)) {
    const { id } = found[0];
    images += 1;
    files += found.filter(({ bytes }) => bytes).length;
    const fault = faultOf(id, found);
    if (fault) faults.add(`The image ${id} ${fault}.`);
    // Ids are hashes, so they are evenly distributed.
    onShare(Number.parseInt(id.slice(0, 6), 16) / 0xffffff);
  }
  return faults.finding('images', `${counted(images, 'image')}, ${counted(files, 'file')}`);
}

/** @returns the files of the image with the next id, and a row of nulls for an image without a file. */
const nextImage = (db: Db, after: string) =>
  db
    .selectFrom('images')
    .leftJoin('image_renditions', 'image_id', 'images.id')
    .select(['images.id', 'uploaded_by', 'image_renditions.width', 'bytes'])
    .where('images.id', '=', ({ selectFrom }) =>
      selectFrom('images as others')
        .select(({ fn }) => fn.min('others.id').as('id'))
        .where('others.id', '>', after),
    )
    .orderBy('image_renditions.width')
    .execute();

function faultOf(id: string, files: Awaited<ReturnType<typeof nextImage>>): string | undefined {
  const widest = files.at(-1);
  if (widest?.width !== fullImageWidth) return `has no file of ${fullImageWidth} pixels`;
  const bad = files.find(({ bytes }) => !bytes || !isWebp(bytes));
  if (bad) return `has a file of ${bad.width} pixels that is no whole WebP file`;
  // The ids of demo images, and of images of an older version, are hashes of something else.
  const isHashed = widest.uploaded_by === null || imageIdOf(widest.bytes ?? '') === id;
  return isHashed ? undefined : 'has a widest file whose hash is another';
}

/** @returns true for a WebP header that has the file's length (RFC 9649, section 2.4). */
const isWebp = (file: Uint8Array): boolean =>
  file.length >= 20 &&
  /^RIFF.{4}WEBPVP8/s.test(Buffer.from(file.subarray(0, 20)).toString('latin1')) &&
  Buffer.from(file.subarray(4, 8)).readUInt32LE() + 8 === file.length;

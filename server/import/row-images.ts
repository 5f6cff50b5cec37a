import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { normalizeBookImage, reasonAgainstBookImage } from '../../contract/book-image.ts';
import { imageAddress, imageIdIn } from '../../contract/image-address.ts';
import { actorId, commandActor } from '../activity/activity.ts';
import { reasonAgainstOrigin } from '../catalogue/image-origins.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { ImageWorker } from '../images/image-worker.ts';
import { storeUpload, uploadIdOf } from '../images/images.ts';
import type { ImportRow } from './check-row.ts';
import { type FetchParts, fetchImage, fetchLimits, WrongImage } from './fetch-image.ts';
import type { RowError } from './read-csv.ts';

export type ImagePolicy = { storeOrigin: string; imageOrigins: readonly string[] };

/** The ways to treat a row's image. Both functions throw {@link WrongImage}. */
export type RowImages = {
  /** @param current the image of the row's book: the book may keep it even if its origin is no longer allowed. */
  keep(image: string, current: string | undefined): string;
  /** Stores a picture like an upload. @returns its address; undefined if the image is to stay as it is. */
  make?(image: string): Promise<string | undefined>;
};

export function keepAddress(
  { storeOrigin, imageOrigins }: ImagePolicy,
  image: string,
  current?: string,
): string {
  const address = normalizeBookImage(image, storeOrigin);
  if (address === undefined) throw new WrongImage(reasonAgainstBookImage(image));
  const reason = address === current ? undefined : reasonAgainstOrigin(address, imageOrigins);
  if (reason !== undefined) throw new WrongImage(reason);
  return address;
}

type StoreImagesParts = {
  db: Db;
  worker: ImageWorker;
  policy: ImagePolicy;
  isDryRun: boolean;
  /** The folder of image files; undefined if rows cannot name files. */
  folder: string | undefined;
  /** Undefined if addresses stay as they are. */
  fetching: FetchParts | undefined;
};

export function storeImages(parts: StoreImagesParts): RowImages {
  const { db, worker, policy, isDryRun, folder, fetching } = parts;
  const store = async (file: Buffer): Promise<string> => {
    const converted = await worker.convert(file).catch((cause: unknown) => {
      if (!(cause instanceof Problem) || cause.status !== 400) throw cause;
      throw new WrongImage([cause.message, cause.detail].join(' ').trim(), { cause });
    });
    if (!isDryRun) await storeUpload(db, converted, actorId(commandActor));
    return imageAddress(uploadIdOf(converted));
  };
  return {
    keep: (image, current) => keepAddress(policy, image, current),
    async make(image) {
      const address = normalizeBookImage(image, policy.storeOrigin);
      if (address === undefined) return await store(await readPicture(image, folder));
      if (imageIdIn(address) || !fetching) return undefined;
      return await store(await fetchImage(address, fetching));
    },
  };
}

const madeAtOnce = 4;

export async function makeImages(
  rows: readonly (ImportRow | RowError)[],
  { make }: RowImages,
): Promise<readonly (ImportRow | RowError)[]> {
  if (!make) return rows;
  const makeOne = async (row: ImportRow | RowError): Promise<ImportRow | RowError> => {
    if ('reason' in row) return row;
    try {
      const image = await make(row.details.image);
      return image === undefined ? row : { ...row, isImageMade: true, details: { ...row.details, image } };
    } catch (error) {
      return wrongImage(row, error);
    }
  };
  const made: (ImportRow | RowError)[] = [];
  for (let first = 0; first < rows.length; first += madeAtOnce)
    made.push(...(await Promise.all(rows.slice(first, first + madeAtOnce).map(makeOne))));
  return made;
}

/** @throws any error except {@link WrongImage}. */
export function wrongImage({ line }: ImportRow, error: unknown): RowError {
  if (!(error instanceof WrongImage)) throw error;
  return { line, column: 'image', reason: error.message };
}

/** Only files inside the folder are read: a CSV file from elsewhere must not put other files of this machine into the shop. */
async function readPicture(image: string, folder: string | undefined): Promise<Buffer> {
  const isFileName = !/^([a-z][a-z0-9+.-]+:|[/\\])/i.test(image);
  if (folder === undefined || !isFileName) {
    throw new WrongImage(
      'Must be an https: address, an image of the store, or a file in the folder of the CSV file.',
    );
  }
  try {
    const path = await realpath(resolve(folder, image));
    if (!path.startsWith((await realpath(folder)) + sep)) {
      throw new WrongImage('The file is outside the folder of the CSV file.');
    }
    const stats = await stat(path);
    // Opening a named pipe would wait for its writer.
    if (!stats.isFile()) throw new WrongImage('There is no such file.');
    if (stats.size > fetchLimits.maxBytes) throw new WrongImage('The image is larger than 10 MB.');
    return await readFile(path);
  } catch (error) {
    throw error instanceof WrongImage ? error : new WrongImage('There is no such file.', { cause: error });
  }
}

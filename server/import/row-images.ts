/**
 * The image that a row of an import names: an address, which is kept, or one of the store's own images. For a command also a file
 * beside the CSV file, or the picture at an address: both go the way of an upload.
 */

import { realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { normalizeBookImage, reasonAgainstBookImage } from '../../contract/book-image.ts';
import { imageAddress, imageIdIn } from '../../contract/image-address.ts';
import { checkImageOrigin } from '../catalogue/image-origins.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import type { ImageWorker } from '../images/image-worker.ts';
import { storeUpload, uploadIdOf } from '../images/images.ts';
import { limitConcurrency } from '../images/limit-concurrency.ts';
import { withUploadFolder } from '../images/receive-upload.ts';
import { type FetchParts, fetchImage, fetchLimits, WrongImage } from './fetch-image.ts';
import type { RowImage } from './import-books.ts';

export type ImagePolicy = {
  /** The store's own origin: an absolute address on it counts as its path. */
  storeOrigin: string;
  /** The places that images may come from besides the store: origins, or `https:`. */
  imageOrigins: readonly string[];
};

/**
 * @returns a function that makes of the image in a row the one of its book, and throws {@link WrongImage}. An image that the
 * book has already (`current`) stays, also if its origin is not allowed any more.
 */
export const keepAddresses =
  ({ storeOrigin, imageOrigins }: ImagePolicy) =>
  (image: string, current?: string): RowImage => {
    const address = normalizeBookImage(image, storeOrigin);
    if (address === undefined) {
      throw new WrongImage(reasonAgainstBookImage(image));
    }
    const kept = { image: address, isMade: false };
    if (address === current) return kept;
    try {
      checkImageOrigin(address, imageOrigins);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new WrongImage(error.errors?.[0]?.message ?? error.message);
    }
    return kept;
  };

const pictureFile = /^[^:]*\.(avif|gif|heic|jpe?g|png|tiff?|webp)$/i;

/** As {@link keepAddresses} does. The desk has the CSV file alone, and says so of a row that names a file beside it. */
export const keepAddressesAlone = (policy: ImagePolicy) => {
  const keep = keepAddresses(policy);
  return (image: string, current?: string): RowImage => {
    if (!pictureFile.test(image) || normalizeBookImage(image, policy.storeOrigin))
      return keep(image, current);
    throw new WrongImage(
      'This is a picture in a file, which only the command takes: npm run shop -- books import. Here an image is an ' +
        'https: address or one of the store.',
    );
  };
};

type StoreImagesParts = {
  db: Db;
  worker: ImageWorker;
  policy: ImagePolicy;
  /** For the images, as `storeUpload` takes it. */
  uploadedBy: string;
  /** Convert, and store nothing. */
  isDryRun: boolean;
  /** The folder of files; undefined: a row can name none. */
  folder: string | undefined;
  /** Undefined: addresses are kept. */
  fetching: FetchParts | undefined;
};

const maxFetches = 4;

/** @returns a function as {@link keepAddresses} does, which also takes files and, with `fetching`, stores what is at an address. */
export function storeImages(parts: StoreImagesParts): (image: string, current?: string) => Promise<RowImage> {
  const { db, worker, policy, uploadedBy, isDryRun, folder, fetching } = parts;
  const keep = keepAddresses(policy);
  const limited = limitConcurrency(maxFetches);

  const store = async (path: string): Promise<RowImage> => {
    const converted = await worker.convert(path).catch((cause: unknown) => {
      if (!(cause instanceof Problem) || cause.status !== 400) throw cause;
      throw new WrongImage([cause.message, cause.detail].join(' ').trim(), { cause });
    });
    if (!isDryRun) await storeUpload(db, converted, uploadedBy);
    return { image: imageAddress(uploadIdOf(converted)), isMade: true };
  };

  return async (image, current) => {
    const address = normalizeBookImage(image, policy.storeOrigin);
    if (address !== undefined && (imageIdIn(address) || !fetching)) return keep(image, current);
    return await limited.run(async () => {
      if (address === undefined) return await store(await findFile(image, folder));
      return await withUploadFolder(async (temporary) => {
        const path = join(temporary, 'image');
        await fetchImage(address, path, fetching);
        return await store(path);
      });
    });
  };
}

/**
 * Only files of the folder: a CSV file from elsewhere must not put others of this machine into the shop.
 * @throws {WrongImage}
 */
async function findFile(image: string, folder: string | undefined): Promise<string> {
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
    if (!stats.isFile()) throw new WrongImage('There is no such file.');
    if (stats.size > fetchLimits.maxBytes) throw new WrongImage('The image is larger than 10 MB.');
    return path;
  } catch (error) {
    throw error instanceof WrongImage ? error : new WrongImage('There is no such file.', { cause: error });
  }
}

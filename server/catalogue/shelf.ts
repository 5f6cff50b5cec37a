/**
 * The bytes that `GET /books` answers. The first page is kept ready (plain, gzip, brotli, with their ETags) and made
 * anew when the catalogue has changed, whoever changed it; every other page is made when it is asked for.
 */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Database } from '../database/open.ts';
import { listBooks, presentBook, type ShelfQuery } from './books.ts';

export const contentCodings = ['br', 'gzip', 'identity'] as const;
export type ContentCoding = (typeof contentCodings)[number];

export type ShelfPage = {
  /** Strong, the same for the same books; each coding has its own (RFC 9110, section 8.8.3.3). */
  etag(coding: ContentCoding): string;
  bytes(coding: ContentCoding): Promise<Buffer>;
  nextCursor: string | undefined;
};

export type Shelf = {
  /** @returns the page as the catalogue is now. Any promise of an older page still holds what was asked for then. */
  page(query: ShelfQuery): Promise<ShelfPage>;
  /** To be called after each change of the catalogue that this process has committed. */
  changed(): void;
};

export const firstPage: ShelfQuery = { sort: 'newest', limit: 200, words: [], after: undefined };

export function openShelf({ db, othersCommits }: Database): Shelf {
  let ownChanges = 0;
  let ready: { page: Promise<ShelfPage>; ownChanges: number; othersCommits: number } | undefined;

  const readyFirstPage = (): Promise<ShelfPage> => {
    const others = othersCommits();
    if (ready?.ownChanges !== ownChanges || ready.othersCommits !== others) {
      // The marks are taken before the query, so a change that comes while it runs makes the next call look again.
      const making = { page: makePage(db, firstPage), ownChanges, othersCommits: others };
      making.page.catch(() => {
        if (ready === making) ready = undefined;
      });
      ready = making;
    }
    return ready.page;
  };

  return {
    page: (query) => (query === firstPage ? readyFirstPage() : makePage(db, query)),
    changed() {
      ownChanges += 1;
    },
  };
}

async function makePage(db: Database['db'], query: ShelfQuery): Promise<ShelfPage> {
  const { books, nextCursor } = await listBooks(db, query);
  const plain = Buffer.from(JSON.stringify(books.map(presentBook)));
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  const coded = new Map<ContentCoding, Promise<Buffer>>([['identity', Promise.resolve(plain)]]);
  return {
    nextCursor,
    etag: (coding) => `"${hash}-${coding}"`,
    bytes(coding) {
      const known = coded.get(coding);
      if (known) return known;
      const made = compress[coding](plain);
      coded.set(coding, made);
      return made;
    },
  };
}

const compress: Readonly<Record<ContentCoding, (plain: Buffer) => Promise<Buffer>>> = {
  identity: async (plain) => plain,
  gzip: (plain) => promisify(gzip)(plain),
  // Quality 5 is smaller than gzip's best at a tenth of the time that the default (11) takes.
  br: (plain) => promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};

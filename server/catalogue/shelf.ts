/**
 * The bytes that `GET /books` answers. The first page is kept ready (plain, gzip, brotli, with their ETags) and made
 * anew when the catalogue has changed, whoever changed it; every other page is made when it is asked for.
 */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Db } from '../database/tables.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { listBooks, presentBook, type ShelfQuery } from './books.ts';
import type { CatalogueChanges } from './changes.ts';

export const contentCodings = ['br', 'gzip', 'identity'] as const;
export type ContentCoding = (typeof contentCodings)[number];

export type ShelfPage = {
  /** Strong, the same for the same books; each coding has its own (RFC 9110, section 8.8.3.3). */
  etag(coding: ContentCoding): string;
  bytes(coding: ContentCoding): Promise<Buffer>;
  nextCursor: string | undefined;
  /** Of the catalogue's changes, from before the page was read. */
  mark: number;
};

export type Shelf = {
  /** @returns the page as the catalogue is now. Any promise of an older page still holds what was asked for then. */
  page(query: ShelfQuery): Promise<ShelfPage>;
};

export const firstPage: ShelfQuery = { sort: 'newest', limit: 200, patterns: [], after: undefined };

/** How long a database that did not answer is left alone, and the page goes out as it was. */
const restMs = 1_000;

export function openShelf(db: Db, changes: CatalogueChanges): Shelf {
  let ready: { page: Promise<ShelfPage>; mark: number } | undefined;
  let lastMade: ShelfPage | undefined;
  let restUntil = 0;
  let checking: { page: Promise<ShelfPage>; ownChanges: number } | undefined;

  /** While the database is lost the shelf goes on as it was last seen: nothing can have been sold or changed since. */
  const makeFirstPage = async (mark: number): Promise<ShelfPage> => {
    try {
      lastMade = await makePage(db, firstPage, mark);
      return lastMade;
    } catch (error) {
      if (!lastMade || !isUnavailable(error)) throw error;
      restUntil = performance.now() + restMs;
      // What goes out meanwhile may be old: after the rest the next call looks again, whatever the mark says.
      ready = undefined;
      return lastMade;
    }
  };

  const readyFirstPage = (): Promise<ShelfPage> => {
    if (lastMade && performance.now() < restUntil) return Promise.resolve(lastMade);
    const mark = changes.mark();
    if (ready?.mark === mark) return ready.page;
    // Nobody would tell of a change: each answer is checked, those that wait for the same check together.
    const ownChanges = changes.ownChanges();
    if (Number.isNaN(mark) && checking?.ownChanges === ownChanges) return checking.page;

    // The mark is taken before the query, so a change that comes while it runs makes the next call look again.
    const making = { page: makeFirstPage(mark), mark, ownChanges };
    ready = making;
    checking = making;
    const done = () => {
      if (checking === making) checking = undefined;
    };
    making.page.then(done, () => {
      done();
      if (ready === making) ready = undefined;
    });
    return making.page;
  };

  return {
    page: (query) => (query === firstPage ? readyFirstPage() : makePage(db, query, changes.mark())),
  };
}

async function makePage(db: Db, query: ShelfQuery, mark: number): Promise<ShelfPage> {
  const { books, nextCursor } = await listBooks(db, query);
  const plain = Buffer.from(JSON.stringify(books.map(presentBook)));
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  const coded = new Map<ContentCoding, Promise<Buffer>>([['identity', Promise.resolve(plain)]]);
  return {
    nextCursor,
    mark,
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

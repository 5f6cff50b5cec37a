/**
 * The bytes that `GET /books` answers. The first page is kept ready (plain, gzip, brotli, with their ETags) and made
 * anew when the catalogue has changed, whoever changed it; every other page is made when it is asked for.
 */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Database } from '../database/open.ts';
import { isUnavailable } from '../database/unavailable.ts';
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

export const firstPage: ShelfQuery = { sort: 'newest', limit: 200, patterns: [], after: undefined };

/** How long a database that did not answer is left alone, and the page goes out as it was. */
const restMs = 1_000;

export function openShelf({ db, changesByOthers }: Database): Shelf {
  let ownChanges = 0;
  let ready: { page: Promise<ShelfPage>; ownChanges: number; changesByOthers: number } | undefined;
  let lastMade: ShelfPage | undefined;
  let restUntil = 0;
  let checking: Promise<ShelfPage> | undefined;

  /** While the database is lost the shelf goes on as it was last seen: nothing can have been sold or changed since. */
  const makeFirstPage = async (): Promise<ShelfPage> => {
    try {
      lastMade = await makePage(db, firstPage);
      return lastMade;
    } catch (error) {
      if (!lastMade || !isUnavailable(error)) throw error;
      restUntil = performance.now() + restMs;
      // What goes out meanwhile may be old: after the rest the next call looks again, whatever the marks say.
      ready = undefined;
      return lastMade;
    }
  };

  const readyFirstPage = (): Promise<ShelfPage> => {
    if (lastMade && performance.now() < restUntil) return Promise.resolve(lastMade);
    const others = changesByOthers();
    if (ready?.ownChanges === ownChanges && ready.changesByOthers === others) return ready.page;
    // Nobody would tell of a change: each answer is checked, those that wait for the same check together.
    if (Number.isNaN(others) && checking && ready?.ownChanges === ownChanges) return checking;

    // The marks are taken before the query, so a change that comes while it runs makes the next call look again.
    const making = { page: makeFirstPage(), ownChanges, changesByOthers: others };
    ready = making;
    checking = making.page;
    const done = () => {
      if (checking === making.page) checking = undefined;
    };
    making.page.then(done, () => {
      done();
      if (ready === making) ready = undefined;
    });
    return making.page;
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

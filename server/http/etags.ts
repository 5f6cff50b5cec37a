/** ETags of responses, and the conditions of requests that name them (RFC 9110, sections 8.8.3 and 13.1). */

import { hash } from 'node:crypto';

export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/** `version` makes the ETag another one, also where the text is the same: the number of edits. */
type Versioned = { text: string; version?: number | undefined };

export const digestOf = ({ text, version }: Versioned): string =>
  hash('sha256', version === undefined ? text : `${version} ${text}`, 'base64url').slice(0, 27);

/** Strong: the same for the same bytes, so each encoding has its own. */
export const etagOf = (digest: string, encoding: Encoding): string => `"${digest}-${encoding}"`;

/** @returns the ETag of a response as it is sent without a compression. */
export const plainEtag = (response: Versioned): string => etagOf(digestOf(response), 'identity');

/**
 * @returns whether an `If-Match` names a response, in any encoding. A weak ETag matches too: a proxy that compresses makes one of
 * each, and here also a weak one stands for a single version.
 */
export const isMatch = (ifMatch: string, response: Versioned): boolean =>
  encodings.some((encoding) => matchesEtag(ifMatch, etagOf(digestOf(response), encoding)));

/** @returns whether an `If-None-Match` has the ETag: any of a list, weakly, or `*`. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === etag) return ifNoneMatch === etag;
  const isSame = (tag: string) => tag === etag || tag === `W/${etag}`;
  return ifNoneMatch.split(',').some((one) => {
    const tag = one.trim();
    // Apache renames what it compresses.
    return tag === '*' || isSame(tag) || isSame(tag.replace(/-(?:gzip|br)"$/, '"'));
  });
}

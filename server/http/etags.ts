import { hash } from 'node:crypto';

export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/** `version`, the number of edits, changes the ETag even if the text stays the same. */
type Versioned = { text: string; version?: number | undefined };

export const digestOf = ({ text, version }: Versioned): string =>
  hash('sha256', version === undefined ? text : `${version} ${text}`, 'base64url').slice(0, 27);

export const etagOf = (digest: string, encoding: Encoding): string => `"${digest}-${encoding}"`;

export const plainEtag = (response: Versioned): string => etagOf(digestOf(response), 'identity');

/** @returns whether `If-Match` names this version, by the tag of any encoding, also a weak one: a proxy that compresses may change both. */
export const isMatch = (ifMatch: string, response: Versioned): boolean =>
  encodings.some((encoding) => matchesEtag(ifMatch, etagOf(digestOf(response), encoding)));

export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  const isSame = (tag: string) => tag === etag || tag === `W/${etag}`;
  return ifNoneMatch.split(',').some((one) => {
    const tag = one.trim();
    // Apache adds a suffix to the ETag of what it compresses.
    return tag === '*' || isSame(tag) || isSame(tag.replace(/-(?:gzip|br)"$/, '"'));
  });
}

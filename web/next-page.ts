/**
 * The address of the next page in a `Link` header (RFC 8288), as path and query; undefined on the last page.
 * An address on another origin than `base` is not followed.
 */
export const nextPage = (link: string | null, base: string): string | undefined => {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(/<([^>]*)>((?:\s*;[^,<]*)*)/g)) {
    if (!/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?\s*(?:;|$)/i.test(parameters)) continue;
    const address = new URL(target, base);
    if (address.origin === new URL(base).origin) return address.pathname + address.search;
  }
  return undefined;
};

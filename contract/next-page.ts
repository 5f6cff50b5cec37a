/** The `Link` header (RFC 8288) of a list's next page: the server writes it, the browser reads it. */

export const maxPageSize = 200;

export function nextPageLink(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  cursor: string | number,
): string {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    if (value !== undefined) next.set(name, String(value));
  }
  return `<${path}?${next}>; rel="next"`;
}

/** @returns path and query of the next page; undefined on the last page, and for a target on another origin than `base`. */
export function nextPagePath(link: string | null, base: string): string | undefined {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(/<([^>]*)>((?:\s*;[^,<]*)*)/g)) {
    if (!/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?\s*(?:;|$)/i.test(parameters)) continue;
    const address = new URL(target, base);
    if (address.origin === new URL(base).origin) return address.pathname + address.search;
  }
  return undefined;
}

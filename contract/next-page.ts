/** The `Link` header (RFC 8288) with the next page of a list: the server writes it, the browser reads it. */

/** How many items a page has at most, and by default. */
export const maxPageSize = 200;

/**
 * @param path of the list, without a query.
 * @param query of the page in this response; parameters that are undefined are left out.
 * @param cursor names the last item of that page.
 * @returns the header's value: the same query with that cursor.
 */
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

/**
 * @param link the header's value; null when the response has none.
 * @param base the absolute address that relative targets are resolved against.
 * @returns path and query of the next page; undefined on the last page, and for a target on another origin than `base`.
 */
export function nextPagePath(link: string | null, base: string): string | undefined {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(/<([^>]*)>((?:\s*;[^,<]*)*)/g)) {
    if (!/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?\s*(?:;|$)/i.test(parameters)) continue;
    const address = new URL(target, base);
    if (address.origin === new URL(base).origin) return address.pathname + address.search;
  }
  return undefined;
}

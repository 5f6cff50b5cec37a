/** The Link header (RFC 8288) that leads to the next page of a list, with the same query. */
export function nextPageLink(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  cursor: string,
): string {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    if (value !== undefined) next.set(name, String(value));
  }
  return `<${path}?${next}>; rel="next"`;
}

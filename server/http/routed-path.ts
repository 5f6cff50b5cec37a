/** The part before the path, in a target that names its host (RFC 9112, section 3.2.2). */
const origin = /^https?:\/\/[^/?]*/i;

/**
 * @param target of a request, as it was sent.
 * @returns its path as the router reads it: `/%62ooks?q=emma` and `http://shop.example/books` are `/books`.
 */
export function routedPath(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(origin, '');
  const end = local.indexOf('?');
  const path = end === -1 ? local : local.slice(0, end);
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

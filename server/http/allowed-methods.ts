/** @returns the methods that the routes of a path accept; empty for a path without a route. */
export type AllowedMethods = (path: string) => string[];

/** For `Allow` (RFC 9110, section 15.5.6). @param routes each as method and pattern, such as `GET /book/:id`. */
export function allowedMethods(routes: readonly string[]): AllowedMethods {
  const patterns = routes.map((route) => {
    const [method = '', pattern = ''] = route.split(' ');
    return { method, parts: pattern.split('/') };
  });
  return (path) => {
    const segments = path.split('/');
    const isMatch = (part: string, index: number) =>
      part.startsWith(':') ? segments[index] !== '' : part === segments[index];
    const matches = ({ parts }: { parts: string[] }) =>
      parts.length === segments.length && parts.every(isMatch);
    return patterns.filter(matches).map(({ method }) => method);
  };
}

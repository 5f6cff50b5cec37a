/** @returns the methods that the routes of a path accept; empty for a path without a route. */
export type AllowedMethods = (path: string) => string[];

/** For `Allow` (RFC 9110, section 15.5.6). @param routes each as method and pattern, such as `GET /book/:id`. */
export function allowedMethods(routes: readonly string[]): AllowedMethods {
  return (path) => {
    const segments = path.split('/');
    const matches = (pattern: string): boolean => {
      const parts = pattern.split('/');
      const isMatch = (part: string, index: number) =>
        part.startsWith(':') ? segments[index] !== '' : part === segments[index];
      return parts.length === segments.length && parts.every(isMatch);
    };
    const known = routes.map((route) => route.split(' '));
    return known.flatMap(([method = '', pattern = '']) => (matches(pattern) ? method : []));
  };
}

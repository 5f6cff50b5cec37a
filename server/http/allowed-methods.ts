import { URLPattern } from 'node:url';

/** @returns the methods that the routes of a path accept; empty for a path without a route. */
export type AllowedMethods = (path: string) => string[];

/** For `Allow` (RFC 9110, section 15.5.6). @param routes each as method and pattern, such as `GET /book/:id`. */
export function allowedMethods(routes: readonly string[]): AllowedMethods {
  const patterns = routes.map((route) => {
    const [method = '', pathname = ''] = route.split(' ');
    return { method, pattern: new URLPattern({ pathname }) };
  });
  return (pathname) =>
    patterns.filter(({ pattern }) => pattern.test({ pathname })).map(({ method }) => method);
}

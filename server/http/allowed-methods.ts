/** Which methods the store's addresses know, for whoever calls one with another. */

export type AllowedMethods = (path: string) => string[];

/** @param routes by method and pattern, such as `GET /book/:id`. */
export function allowedMethods(routes: readonly string[]): AllowedMethods {
  const known = routes.map((route) => {
    const [method = '', pattern = ''] = route.split(' ');
    return { method, parts: pattern.split('/') };
  });
  return (path) => {
    const asked = path.split('/');
    const isAsked = ({ parts }: { parts: string[] }) =>
      parts.length === asked.length &&
      parts.every((part, index) => (part.startsWith(':') ? asked[index] !== '' : part === asked[index]));
    return known.filter(isAsked).map(({ method }) => method);
  };
}

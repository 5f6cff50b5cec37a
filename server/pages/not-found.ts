import type { FastifyInstance } from 'fastify';
import { sendProblem, wantsPage } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { addToVary } from '../http/response-cache.ts';
import type { SendPage } from './page-sender.ts';
import type { PageContent } from './page-template.ts';

/** A browser that opens a page gets the app's not-found screen; any other request gets a problem. */
export function answerNotFound(app: FastifyInstance, sendPage: SendPage, content: PageContent): void {
  app.setNotFoundHandler((request, reply) => {
    const path = routedPath(request.url);
    const methods = methodsOf(path, Object.keys(app.declaredAccess));
    // A route may accept the method and still end here, if its built file was deleted.
    const isWrongMethod = methods.length > 0 && !methods.includes(request.method);
    // A 405 must have this header (RFC 9110, section 15.5.6).
    if (isWrongMethod) reply.header('allow', methods.join(', '));
    addToVary(reply, 'accept');
    if (!wantsPage(request) || path.startsWith('/assets/'))
      return sendProblem(request, reply, new Problem(isWrongMethod ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'));
    const shown = methods.length === 0 ? content : { ...content, body: '' };
    return sendPage(request, reply, () => ({ content: shown }), { status: isWrongMethod ? 405 : 404 });
  });
}

/** @param routes each as method and pattern, such as `GET /book/:id`. @returns the methods that the routes of a path accept. */
function methodsOf(path: string, routes: readonly string[]): string[] {
  const segments = path.split('/');
  return routes.flatMap((route) => {
    const [method = '', pattern = ''] = route.split(' ');
    const parts = pattern.split('/');
    const isMatch = (part: string, index: number) =>
      part.startsWith(':') ? segments[index] !== '' : part === segments[index];
    return parts.length === segments.length && parts.every(isMatch) ? [method] : [];
  });
}

/** The origin before the path, in a target that has one (RFC 9112, section 3.2.2). */
const origin = /^https?:\/\/[^/?]*/i;

/** @returns the path of a target as the router reads it: `/%62ooks?q=emma` and `http://shop.example/books` are `/books`. */
function routedPath(target: string): string {
  const [path = ''] = target.replace(origin, '').split('?');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Store } from '../../contract/store.ts';
import { pagePolicy } from '../headers.ts';
import { type KnownMethods, knownMethods } from '../known-methods.ts';
import { sendProblem } from '../problem-answers.ts';
import { Problem } from '../problems.ts';

export type PagesParts = {
  /** The folder of the built browser app. */
  folder: string;
  /** While it is being worked on: the files change under way, and the page with them. */
  isRebuilt: boolean;
  store: Store;
};

/** The spec's screens (section 2). */
const screens = ['/', '/home', '/login', '/checkout/:id', '/orders', '/admin'];

/** The built browser app: one page for every screen, and its files. */
export const pageRoutes: FastifyPluginAsync<PagesParts> = async (app, { folder, isRebuilt, store }) => {
  const readPage = () => {
    const html = renderPage(readFileSync(join(folder, 'index.html'), 'utf8'), store);
    const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`;
    return { html, etag };
  };
  let page = readPage();
  const headers = {
    ...pagePolicy(hostsBesides(store)),
    'content-type': 'text/html; charset=utf-8',
    // The page names the files of this build: a kept one would ask for files of another.
    'cache-control': 'no-cache',
  };
  const sendPage = (request: FastifyRequest, reply: FastifyReply, status: 200 | 404 | 405) => {
    if (isRebuilt) page = readPage();
    reply.headers(headers).header('etag', page.etag);
    if (status === 200 && request.headers['if-none-match'] === page.etag) return reply.code(304).send();
    return reply.code(status).send(page.html);
  };

  // The pages hold nothing of anybody's: what they show is fetched by calls that are guarded.
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'public' };
    route.schema = { ...route.schema, hide: true };
  });

  for (const screen of screens) {
    app.get(screen, (request, reply) => sendPage(request, reply, 200));
  }

  await app.register(staticFiles, {
    root: folder,
    wildcard: isRebuilt,
    index: false,
    preCompressed: true,
    decorateReply: false,
    globIgnore: ['index.html', '.vite/**', '**/*.{gz,br}'],
    setHeaders: (reply, path) => {
      const isNamedByContent = path.startsWith(join(folder, 'assets') + sep);
      reply.header('cache-control', isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });

  let methodsOf: KnownMethods;
  app.addHook('onReady', async () => {
    methodsOf = knownMethods(Object.keys(app.declaredAccess));
  });

  /** A person gets the app's not-found screen; whoever asked for a file or data gets a problem, kept by nobody. */
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request.url.split('?', 1)[0] ?? '');
    // A file of the build may be known, and gone.
    const isKnown = methods.length > 0 && !methods.includes(request.method);
    // What a 405 must tell (RFC 9110, section 15.5.6).
    if (isKnown) reply.header('allow', methods.join(', '));
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (wantsPage && !request.url.startsWith('/assets/'))
      return sendPage(request, reply, isKnown ? 405 : 404);
    return sendProblem(request, reply, new Problem(isKnown ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'));
  });
};

/** The origins that the browser app talks to besides its own. */
function hostsBesides({ apiHost, imageHost }: Store): string[] {
  const imageOrigin = URL.canParse(imageHost.url) ? [new URL(imageHost.url).origin] : [];
  return [...new Set([...(apiHost === '' ? [] : [apiHost]), ...imageOrigin])];
}

const storeBlock = /(<script type="application\/json" id="store">)[^<]*(<\/script>)/;

/** @throws when the built page has no place for what it must be told. */
function renderPage(html: string, store: Store): string {
  if (!storeBlock.test(html)) throw new Error('the built page has no block with the id "store"');
  // A "<" could end the element.
  const json = JSON.stringify(store).replaceAll('<', '\\u003c');
  return html
    .replace(storeBlock, (_all, start: string, end: string) => start + json + end)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(store.name)}</title>`);
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

import type { Defence } from '../defence.ts';

export const pagesDefences: readonly Defence[] = [
  {
    name: 'the page’s configuration ends no script element',
    file: 'server/pages/routes.ts',
    find: ".replaceAll('<', '\\\\u003c')",
    replace: '',
    project: 'SQLite',
    testFile: 'server/testing/app.test.ts',
    testName: 'name escaped, in HTML and in JSON',
  },
  {
    name: 'the store’s name is text in the page’s title',
    file: 'server/pages/routes.ts',
    find: 'escapeHtml(config.name)',
    replace: 'config.name',
    project: 'SQLite',
    testFile: 'server/testing/app.test.ts',
    testName: 'name escaped, in HTML and in JSON',
  },
  {
    name: 'a missing file of the build is no page',
    file: 'server/pages/routes.ts',
    find: "if (wantsPage(request) && !request.url.startsWith('/assets/'))",
    replace: 'if (wantsPage(request))',
    project: 'SQLite',
    testFile: 'server/testing/app.test.ts',
    testName: 'a file of another build is a 404',
  },
  {
    name: 'the page is revalidated on every use',
    file: 'server/pages/routes.ts',
    find: "'cache-control': 'no-cache',",
    replace: '',
    project: 'SQLite',
    testFile: 'server/http/headers.test.ts',
    testName: 'is the app, with its security headers',
  },
  {
    name: 'pages show images of IMAGE_ORIGINS alone',
    file: 'server/pages/routes.ts',
    find: '...imageOrigins],',
    replace: "'https:'],",
    project: 'SQLite',
    testFile: 'server/http/headers.test.ts',
    testName: 'of a page name IMAGE_ORIGINS and the origin of the API',
  },
];

// `npm start`: builds the pages, unless they are current, and serves the store.
import './compile-cache.mjs';

const { readOptions } = await import('./options.ts');
readOptions(
  'npm start',
  'Serves the store, after a build of the pages if they have changed, in demo mode unless .env says otherwise.',
  {},
);

const { arePagesCurrent, buildPages } = await import('./build-pages.ts');
if (!arePagesCurrent() && !(await buildPages())) process.exit(1);

await import('./serve.mjs');

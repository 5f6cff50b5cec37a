// `npm start`: builds the pages and serves the store.
import './compile-cache.mjs';

const { readOptions } = await import('./options.ts');
readOptions(
  'npm start',
  'Builds the pages and serves the store, in demo mode unless .env says otherwise.',
  {},
);

const { buildPages } = await import('./build-pages.ts');
if (!(await buildPages())) process.exit(1);

await import('./serve.mjs');

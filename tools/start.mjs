import './compile-cache.mjs';

const { readOptions } = await import('./options.ts');
readOptions(
  'npm start',
  'Serves the store, after a build of what has changed, in demo mode unless .env says otherwise.',
  {},
);

const { pages, server } = await import('./builds.ts');
const built = await Promise.all([pages, server].map((build) => build.isCurrent() || build.make()));
if (!built.every(Boolean)) process.exit(1);

await import('./serve.mjs');

import { join } from 'node:path';
import { pages, server } from './builds.ts';
import { flag, readOptions } from './options.ts';

const options = readOptions('npm run build', 'Builds the pages that the store serves, and the server.', {
  pack: flag('also pack both into one file, which a server without a checkout installs'),
});

const built = await Promise.all([pages.make(), server.make()]);
process.exitCode = built.every(Boolean) ? 0 : 1;
if (options.pack && process.exitCode === 0) {
  const { pack } = await import('./pack.ts');
  console.log((await pack(join(import.meta.dirname, '..'))).filename);
}

import './compile-cache.mjs';
import { existsSync } from 'node:fs';

const store = new URL('../build/serve.js', import.meta.url);
if (!existsSync(store)) {
  process.stderr.write('The store is not built yet. `npm run build` builds it.\n');
  process.exit(1);
}
await import(store.href);

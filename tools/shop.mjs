// `npm run shop`: runs the command that `npm run build` has made of commands/run.ts, or that file where nothing is built yet.
import './compile-cache.mjs';
import { existsSync } from 'node:fs';

const built = new URL('../build/shop.js', import.meta.url);
await import(existsSync(built) ? built.href : '../commands/run.ts');

// Node's compile cache. From the second start on, Node neither strips types nor compiles again, which saves time and 20 MB
// at the start (docs/decisions/0060). Import it before any TypeScript, and that dynamically: Node loads static imports first.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', 'node_modules', '.cache', 'colophon');
enableCompileCache(folder);
// Threads and child processes find the cache by this variable.
process.env.NODE_COMPILE_CACHE = folder;

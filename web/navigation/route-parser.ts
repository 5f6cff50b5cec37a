/** In place of wouter's own (vite.config.ts), which takes capitals, and a slash at the end, for the same address. */
export { parsePattern as parse } from '../../contract/paths.ts';

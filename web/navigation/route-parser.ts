/** A parser in place of wouter's own (vite.config.ts), which ignores case and a slash at the end of an address. */
export { parsePattern as parse } from '../../contract/paths.ts';

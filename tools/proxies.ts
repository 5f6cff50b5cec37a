import { join } from 'node:path';

/** @returns the lines of an nginx configuration's `http` block that put its temporary files in this folder. */
export const temporaryPaths = (folder: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path "${join(folder, name)}";`)
    .join('\n');

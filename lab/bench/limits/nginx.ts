/** A second limit of reads: nginx with one worker, which sends the store's responses from files. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '../../../contract/paths.ts';
import { findProgram } from '../../../server/testing/programs.ts';
import { temporaryPaths } from '../../rigs/proxies.ts';
import type { BareResponse } from './http-server.ts';

/** Its path; undefined where it is not installed. */
export const nginxProgram = findProgram('nginx');

/** @returns the file of the configuration. @param folder gets it and the bodies; nginx writes its own files there too. */
export function writeNginxFiles(responses: readonly BareResponse[], port: number, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const locations = responses.map(({ path, status, headers, body }, index) => {
    const file = join(folder, `body-${index}`);
    writeFileSync(file, Buffer.from(body, 'base64'));
    const send = status === 200 ? `alias ${quoted(file)};` : `return ${status};`;
    return `    location = ${path} { ${send} ${headerDirectives(headers)} }`;
  });
  const configuration = `daemon off;
# One process, whose use of the processor is measured.
master_process off;
pid ${quoted(join(folder, 'pid'))};
error_log stderr;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  open_file_cache max=10 inactive=1d;
  # By default it closes a connection after a thousand.
  keepalive_requests 1000000000;
  # The store sends none of these headers by nginx's own rules.
  etag off;
  max_ranges 0;
  server_tokens off;
${temporaryPaths(folder)}
  server {
    listen 127.0.0.1:${port};
    location = ${paths.health} { return 200; }
${locations.join('\n')}
  }
}
`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration);
  return file;
}

/** nginx writes `content-length` itself. @param headers names and values in turn. */
function headerDirectives(headers: readonly string[]): string {
  // An empty one is left out.
  const directives = ['add_header last-modified "";'];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    if (name === 'content-type') directives.push(`default_type ${quoted(value)};`);
    else if (name !== 'content-length') directives.push(`add_header ${name} ${quoted(value)};`);
  }
  return directives.join(' ');
}

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

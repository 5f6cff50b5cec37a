/** nginx, HAProxy and Caddy, each on a simulated machine. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../server/testing/programs.ts';
import { type Machine, startProgram } from './machines.ts';

export type ProxyName = 'nginx' | 'HAProxy' | 'Caddy';

/** @returns the lines of an nginx configuration's `http` block that put its temporary files in this folder. */
export const temporaryPaths = (folder: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path "${join(folder, name)}";`)
    .join('\n');

const nginxConfiguration = (folder: string, http: string) => `
daemon off;
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
${temporaryPaths(folder)}
${http}
}
`;

/** The proxy's program; undefined where it is not installed. */
export const findProxy = (name: ProxyName): string | undefined => findProgram(name.toLowerCase());

/**
 * Starts the proxy on the machine. Returns at once: it listens a moment later.
 * @param configuration its file; of nginx the contents of the block `http`.
 * It may have 4,096 files open, which is what some distributions allow a service.
 * @throws if it is not installed.
 */
export function startProxy(machine: Machine, name: ProxyName, configuration: string): void {
  const program = findProxy(name);
  if (!program) {
    throw new Error(`${name} is not installed (on Debian: apt-get install caddy haproxy nginx-light).`);
  }
  const file = join(machine.folder, 'configuration');
  writeFileSync(file, name === 'nginx' ? nginxConfiguration(machine.folder, configuration) : configuration);
  const argumentsOf: Record<ProxyName, readonly string[]> = {
    nginx: ['-c', file],
    HAProxy: ['-db', '-f', file],
    Caddy: ['run', '--adapter', 'caddyfile', '--config', file],
  };
  const limited = 'ulimit -n 4096; exec "$0" "$@"';
  startProgram(machine, '/bin/sh', '-c', limited, program, ...argumentsOf[name]);
}

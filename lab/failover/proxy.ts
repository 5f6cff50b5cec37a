/** HAProxy: one address for PostgreSQL's primary, and one for the nodes of the store. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '../../contract/paths.ts';
import type { Account } from '../../server/testing/postgres-programs.ts';
import { createMachine, startProgram } from '../../tools/machines.ts';
import type { Member } from './cluster.ts';
import type { Programs } from './programs.ts';

export type ProxyOptions = {
  folder: string;
  programs: Programs;
  account: Account | undefined;
  databasePort: number;
  storePort: number;
  members: readonly Member[];
  nodePorts: readonly number[];
};

/** Starts HAProxy. Resolves at once: it listens a moment later. */
export function startProxy({ folder, programs, account, ...routes }: ProxyOptions): void {
  const machine = createMachine(folder, 'haproxy', account);
  const file = join(machine.folder, 'haproxy.cfg');
  writeFileSync(file, configuration(routes), { mode: 0o644 });
  startProgram(machine, programs.haproxy, '-db', '-f', file);
}

type Routes = Pick<ProxyOptions, 'databasePort' | 'storePort' | 'members' | 'nodePorts'>;

/**
 * `shutdown-sessions` closes the store's connections to a server that is no longer the primary; without it they would wait
 * for a machine that may never respond. Patroni answers `/primary` with 200 only while it holds the leader's lock.
 */
const configuration = ({ databasePort, storePort, members, nodePorts }: Routes) => `
defaults
  timeout connect 2s
  timeout check 2s
  timeout client 60s
  timeout server 60s

listen primary
  bind 127.0.0.1:${databasePort}
  mode tcp
  option httpchk
  http-check send meth GET uri /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${members
  .map(({ machine, port, restPort }) => `  server ${machine.name} 127.0.0.1:${port} check port ${restPort}`)
  .join('\n')}

${storeSection(storePort, nodePorts)}
`;

/** The nodes of the store, of which only those get requests that are ready. */
export const storeSection = (port: number, nodePorts: readonly number[]) => `
listen store
  bind 127.0.0.1:${port}
  mode http
  balance roundrobin
  option redispatch
  option httpchk
  http-check send meth GET uri ${paths.readiness}
  http-check expect status 200
  default-server inter 1s fall 2 rise 1
${nodePorts.map((nodePort, index) => `  server node-${index + 1} 127.0.0.1:${nodePort} check`).join('\n')}
`;

/** HAProxy: one address for the primary, wherever it is, and one for the store, whichever node answers. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Member } from './cluster.ts';
import { makeMachine, startOn } from './machines.ts';
import type { Account, Programs } from './programs.ts';

export type ProxyOptions = {
  folder: string;
  programs: Programs;
  account: Account;
  databasePort: number;
  storePort: number;
  members: readonly Member[];
  nodePorts: readonly number[];
};

export function startProxy({ folder, programs, account, ...routes }: ProxyOptions): void {
  const machine = makeMachine(folder, 'haproxy', account);
  const file = join(machine.folder, 'haproxy.cfg');
  writeFileSync(file, configuration(routes), { mode: 0o644 });
  startOn(machine, { program: programs.haproxy, args: ['-db', '-f', file] });
}

type Routes = Pick<ProxyOptions, 'databasePort' | 'storePort' | 'members' | 'nodePorts'>;

/**
 * `shutdown-sessions` cuts the store's connections to a primary that is no longer one; without it they would wait on a
 * machine that may never answer. Patroni answers 200 on `/primary` only while it holds the leader's lock.
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

listen store
  bind 127.0.0.1:${storePort}
  mode http
  balance roundrobin
  option redispatch
  option httpchk
  http-check send meth GET uri /readyz
  http-check expect status 200
  default-server inter 1s fall 2 rise 1
${nodePorts.map((port, index) => `  server node-${index + 1} 127.0.0.1:${port} check`).join('\n')}
`;

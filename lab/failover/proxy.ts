/** HAProxy's configuration: one address for PostgreSQL's primary, and one for the nodes of the store. */

import { paths } from '../../contract/paths.ts';
import type { Member } from './cluster.ts';

export type Routes = {
  databasePort: number;
  storePort: number;
  members: readonly Member[];
  nodePorts: readonly number[];
};

/**
 * `shutdown-sessions` closes the store's connections to a server that is no longer the primary; without it they would wait
 * for a machine that may never respond. Patroni answers `/primary` with 200 only while it holds the leader's lock.
 */
export const proxyConfiguration = ({ databasePort, storePort, members, nodePorts }: Routes) => `
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
  http-check send meth GET uri ${paths.readiness}
  http-check expect status 200
  default-server inter 1s fall 2 rise 1
${nodePorts.map((nodePort, index) => `  server node-${index + 1} 127.0.0.1:${nodePort} check`).join('\n')}
`;

/** PostgreSQL kept by Patroni, with etcd as the place where its members agree on who the primary is. */

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { killMachine, type Machine, makeMachine, startOn, statusOf, waitFor } from './machines.ts';
import type { Account, Programs } from './programs.ts';

export type Member = { machine: Machine; databaseFolder: string; port: number; restPort: number };

export type Cluster = {
  members: readonly Member[];
  /** Of the maintenance database at an address, which is a member's or that of a proxy. */
  url(port: number): string;
  findPrimary(): Promise<Member | undefined>;
  findStandbys(): Promise<Member[]>;
  /** Members that a commit waits for. */
  findSynchronousStandbys(): Promise<Member[]>;
  start(member: Member): void;
  kill(member: Member): Promise<void>;
};

export type ClusterOptions = {
  folder: string;
  programs: Programs;
  account: Account;
  /** Two of each member, PostgreSQL's and Patroni's, and two of etcd. */
  ports: readonly number[];
  memberNames: readonly string[];
  /** No commit without a second machine, also when that means no commits at all. */
  isStrict: boolean;
};

/** How soon a primary that is gone counts as gone, in seconds; what a real installation would raise is in README.md. */
export const timing = { ttl: 10, loop_wait: 2, retry_timeout: 3 } as const;

const startWithinMs = 120_000;

/** @returns when there is a primary, and a synchronous standby for it. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, programs, account, memberNames } = options;
  const [etcdPort = 0, etcdPeerPort = 0, ...memberPorts] = options.ports;
  await startEtcd(makeMachine(folder, 'etcd', account), programs.etcd, etcdPort, etcdPeerPort);

  const password = randomBytes(24).toString('base64url');
  const members = memberNames.map((name, index): Member => {
    const machine = makeMachine(folder, name, account);
    const [port = 0, restPort = 0] = memberPorts.slice(2 * index);
    return { machine, databaseFolder: join(machine.folder, 'database'), port, restPort };
  });
  for (const member of members) {
    // JSON is YAML as well.
    const configuration = JSON.stringify(patroniConfiguration(member, { etcdPort, password, ...options }));
    writeFileSync(configurationFile(member), configuration, { mode: 0o644 });
  }

  const membersThatAnswer = async (path: string): Promise<Member[]> => {
    const statuses = await Promise.all(
      members.map(({ restPort }) => statusOf(`http://127.0.0.1:${restPort}${path}`)),
    );
    return members.filter((_, index) => statuses[index] === 200);
  };
  const cluster: Cluster = {
    members,
    url: (port) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    findPrimary: async () => (await membersThatAnswer('/primary'))[0],
    findStandbys: () => membersThatAnswer('/replica'),
    findSynchronousStandbys: () => membersThatAnswer('/synchronous'),
    start: (member) =>
      startOn(member.machine, { program: programs.patroni, args: [configurationFile(member)] }),
    kill: ({ machine }) => killMachine(machine),
  };
  for (const member of members) cluster.start(member);
  await waitFor('a primary', async () => (await cluster.findPrimary()) !== undefined, startWithinMs);
  await waitForStandby(cluster);
  return cluster;
}

/** Until a commit is on two machines again. */
export const waitForStandby = (cluster: Cluster): Promise<void> =>
  waitFor(
    'a synchronous standby',
    async () => (await cluster.findSynchronousStandbys()).length > 0,
    startWithinMs,
  );

async function startEtcd(machine: Machine, program: string, port: number, peerPort: number): Promise<void> {
  const address = `http://127.0.0.1:${port}`;
  const peerAddress = `http://127.0.0.1:${peerPort}`;
  const settings = {
    name: 'etcd',
    'data-dir': join(machine.folder, 'data'),
    'listen-client-urls': address,
    'advertise-client-urls': address,
    'listen-peer-urls': peerAddress,
    'initial-advertise-peer-urls': peerAddress,
    'initial-cluster': `etcd=${peerAddress}`,
  };
  startOn(machine, { program, args: Object.entries(settings).map(([name, value]) => `--${name}=${value}`) });
  await waitFor('etcd', async () => (await statusOf(`${address}/health`)) === 200, 30_000);
}

const configurationFile = ({ machine }: Member) => join(machine.folder, 'patroni.yml');

type PatroniParts = ClusterOptions & { etcdPort: number; password: string };

const patroniConfiguration = (
  { machine, databaseFolder, port, restPort }: Member,
  { programs, etcdPort, password, isStrict }: PatroniParts,
) => ({
  scope: 'colophon',
  name: machine.name,
  restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  bootstrap: {
    // What all members share; kept in etcd from the first start on.
    dcs: {
      ...timing,
      synchronous_mode: true,
      synchronous_mode_strict: isStrict,
      postgresql: {
        use_pg_rewind: true,
        use_slots: true,
        parameters: {
          synchronous_commit: 'on',
          fsync: 'on',
          wal_log_hints: 'on',
          max_connections: 100,
          shared_buffers: '32MB',
          // Files of its own folder, which goes with it.
          dynamic_shared_memory_type: 'mmap',
        },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    bin_dir: programs.postgresBin,
    data_dir: databaseFolder,
    pgpass: join(machine.folder, 'pgpass'),
    authentication: {
      superuser: { username: 'postgres', password },
      replication: { username: 'replicator', password },
    },
    parameters: { unix_socket_directories: machine.folder, password_encryption: 'scram-sha-256' },
    pg_hba: [
      'local all all scram-sha-256',
      'host all all 127.0.0.1/32 scram-sha-256',
      'host replication replicator 127.0.0.1/32 scram-sha-256',
    ],
    // What the old primary wrote and nobody else has goes: it was never acknowledged.
    remove_data_directory_on_rewind_failure: true,
    remove_data_directory_on_diverged_timelines: true,
  },
});

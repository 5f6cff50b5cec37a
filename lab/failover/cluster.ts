/** PostgreSQL managed by Patroni; its members agree on the primary through etcd. */

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../server/testing/free-ports.ts';
import type { Account } from '../../server/testing/postgres-programs.ts';
import {
  createMachine,
  killMachine,
  type Machine,
  startProgram,
  statusOf,
  waitFor,
} from '../rigs/machines.ts';
import type { Programs } from './programs.ts';

export type Member = { machine: Machine; databaseFolder: string; port: number; restPort: number };

export type Cluster = {
  members: readonly Member[];
  /** @returns the URL of the maintenance database. @param port of a member, or of a proxy in front of them. */
  url(port: number): string;
  findPrimary(): Promise<Member | undefined>;
  findStandbys(): Promise<Member[]>;
  /** The number of members that a commit waits for. */
  findSynchronousStandbys(): Promise<Member[]>;
  start(member: Member): void;
  kill(member: Member): Promise<void>;
};

export type ClusterOptions = {
  folder: string;
  programs: Programs;
  account: Account | undefined;
};

export const memberNames = ['one', 'two', 'three'] as const;

/** How soon a lost primary is replaced, in seconds. README.md says which values suit a real installation. */
export const timing = { ttl: 10, loop_wait: 2, retry_timeout: 3 } as const;

const startTimeoutMs = 120_000;

/** Resolves when there is a primary with a synchronous standby. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, programs, account } = options;
  const etcdPort = await findFreePort();
  await startEtcd(createMachine(folder, 'etcd', account), programs.etcd, etcdPort);

  const password = randomBytes(24).toString('base64url');
  const members: Member[] = [];
  for (const name of memberNames) {
    const machine = createMachine(folder, name, account);
    const member: Member = {
      machine,
      databaseFolder: join(machine.folder, 'database'),
      port: await findFreePort(),
      restPort: await findFreePort(),
    };
    members.push(member);
    // JSON is YAML as well.
    const configuration = JSON.stringify(patroniConfiguration(member, { etcdPort, password, ...options }));
    writeFileSync(configurationFile(member), configuration, { mode: 0o644 });
  }

  const membersWithStatus200 = async (path: string): Promise<Member[]> => {
    const statuses = await Promise.all(
      members.map(({ restPort }) => statusOf(`http://127.0.0.1:${restPort}${path}`)),
    );
    return members.filter((_, index) => statuses[index] === 200);
  };
  const cluster: Cluster = {
    members,
    url: (port) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    findPrimary: async () => (await membersWithStatus200('/primary'))[0],
    findStandbys: () => membersWithStatus200('/replica'),
    findSynchronousStandbys: () => membersWithStatus200('/synchronous'),
    start: (member) => startProgram(member.machine, programs.patroni, configurationFile(member)),
    kill: ({ machine }) => killMachine(machine),
  };
  for (const member of members) cluster.start(member);
  await waitFor('a primary', async () => (await cluster.findPrimary()) !== undefined, startTimeoutMs);
  await waitForStandby(cluster);
  return cluster;
}

/** Resolves when each commit is stored on two machines again. */
export const waitForStandby = (cluster: Cluster): Promise<void> =>
  waitFor(
    'a synchronous standby',
    async () => (await cluster.findSynchronousStandbys()).length > 0,
    startTimeoutMs,
  );

async function startEtcd(machine: Machine, program: string, port: number): Promise<void> {
  const address = `http://127.0.0.1:${port}`;
  const peerAddress = `http://127.0.0.1:${await findFreePort()}`;
  const settings = {
    name: 'etcd',
    'data-dir': join(machine.folder, 'data'),
    'listen-client-urls': address,
    'advertise-client-urls': address,
    'listen-peer-urls': peerAddress,
    'initial-advertise-peer-urls': peerAddress,
    'initial-cluster': `etcd=${peerAddress}`,
  };
  startProgram(machine, program, ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`));
  await waitFor('etcd', async () => (await statusOf(`${address}/health`)) === 200, 30_000);
}

const configurationFile = ({ machine }: Member) => join(machine.folder, 'patroni.yml');

type PatroniParts = ClusterOptions & { etcdPort: number; password: string };

const patroniConfiguration = (
  { machine, databaseFolder, port, restPort }: Member,
  { programs, etcdPort, password }: PatroniParts,
) => ({
  scope: 'colophon',
  name: machine.name,
  restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  bootstrap: {
    // All members share these settings, which etcd stores from the first start on.
    dcs: {
      ...timing,
      synchronous_mode: true,
      synchronous_mode_strict: true,
      postgresql: {
        use_pg_rewind: true,
        use_slots: true,
        parameters: {
          synchronous_commit: 'on',
          fsync: 'on',
          wal_log_hints: 'on',
          max_connections: 100,
          shared_buffers: '32MB',
          // These files are in the database's folder, so that they are removed with it.
          dynamic_shared_memory_type: 'mmap',
        },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    bin_dir: programs.postgresFolder,
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
    // Commits that only the old primary has are discarded: they were never acknowledged.
    remove_data_directory_on_rewind_failure: true,
    remove_data_directory_on_diverged_timelines: true,
  },
});

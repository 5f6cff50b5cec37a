/** The stores that histories are made with: one node on SQLite, and three on PostgreSQL with two standbys. */

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openCuttableConnection } from '../../../server/testing/cuttable-connection.ts';
import { findFreePort } from '../../../server/testing/free-ports.ts';
import { unprivilegedAccount } from '../../../server/testing/postgres-programs.ts';
import { type Cluster, memberNames, startCluster } from '../../failover/cluster.ts';
import { providePrograms } from '../../failover/programs.ts';
import { proxyConfiguration } from '../../failover/proxy.ts';
import {
  createMachine,
  type Machine,
  processesIn,
  removeSharedMemory,
  waitFor,
} from '../../rigs/machines.ts';
import { startProxy } from '../../rigs/proxies.ts';
import { type Fault, longestPauseMs, missingPrograms, type Rig, startNode } from './nodes.ts';

/** `prepare` fills the database before the nodes start. */
type Parts = {
  folder: string;
  settings: Readonly<Record<string, string>>;
  prepare(databaseUrl: string): Promise<void>;
  closes(close: () => unknown): void;
};

const diskSize = '512m';

/** One node, which is killed and restarted, on a disk of its own that can be full. */
export async function openSqliteRig({ folder, settings, prepare, closes }: Parts): Promise<Rig> {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const hasOwnDisk = mount(disk);
  if (hasOwnDisk) closes(() => execFileSync('umount', ['--lazy', disk]));
  const databaseUrl = `sqlite:${join(disk, 'store.db')}`;
  await prepare(databaseUrl);
  const node = await startNode(
    folder,
    'node-1',
    { DATABASE_URL: databaseUrl, ...settings },
    { hasSlowDisk: true },
  );
  closes(node.stop);
  const fullDisk: Fault = {
    name: 'full disk',
    target: 'disk',
    async strike() {
      const ballast = join(disk, 'ballast');
      fill(ballast);
      return async () => rmSync(ballast);
    },
  };
  return {
    engine: 'SQLite',
    nodes: [node],
    faults: [...node.faults, ...(hasOwnDisk ? [fullDisk] : [])],
    leftOut: [...missingPrograms(), ...(hasOwnDisk ? [] : ['a full disk: a tmpfs cannot be mounted'])],
  };
}

function mount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskSize}`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes a file until the disk is full. */
function fill(file: string): void {
  writeFileSync(file, '');
  for (const size of [2 ** 20, 2 ** 12]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

/** Three nodes, each with a connection of its own to HAProxy in front of a primary and two standbys under Patroni. */
export async function openPostgresRig({ folder, settings, prepare, closes }: Parts): Promise<Rig> {
  const programs = await providePrograms();
  const account = unprivilegedAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);
  closes(async () => {
    for (const name of memberNames) await removeSharedMemory(join(folder, name, 'database'));
  });
  const cluster = await startCluster({ folder, programs, account });
  const { members } = cluster;
  const databasePort = await findFreePort();
  const configuration = proxyConfiguration({
    ...{ databasePort, storePort: await findFreePort(), members, nodePorts: [] },
  });
  startProxy(createMachine(folder, 'haproxy', account), 'HAProxy', configuration);
  // HAProxy considers a server to be up until its first check has failed.
  await pause(2_500);
  const databaseUrl = cluster.url(databasePort);
  await prepare(databaseUrl);
  const nodes = [];
  const connectionFaults: Fault[] = [];
  for (const name of ['node-1', 'node-2', 'node-3']) {
    const connection = await openCuttableConnection(databaseUrl);
    closes(connection.close);
    const withUrl = { DATABASE_URL: connection.url, ...settings };
    const node = await startNode(folder, name, withUrl, { hasSlowDisk: false });
    closes(node.stop);
    nodes.push(node);
    const target = `connection of ${name}`;
    const restore = () => connection.restore();
    connectionFaults.push(
      {
        name: 'cut between a node and its database',
        target,
        async strike() {
          await connection.cut();
          return restore;
        },
      },
      {
        name: 'silence between a node and its database',
        target,
        async strike() {
          connection.faults.isStalled = true;
          return async () => {
            // The bytes that were sent meanwhile are lost.
            await connection.cut();
            await connection.restore();
          };
        },
      },
      {
        name: 'delay between a node and its database',
        target,
        async strike(random) {
          connection.faults.delayMs = 50 + random() * 250;
          return restore;
        },
      },
    );
  }
  return {
    engine: 'PostgreSQL',
    nodes,
    faults: [...nodes.flatMap(({ faults }) => faults), ...connectionFaults, ...faultsOf(cluster)],
    leftOut: [],
  };
}

function isPostgres(processId: number): boolean {
  try {
    return readFileSync(`/proc/${processId}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    // The process has ended.
    return false;
  }
}

const recoveryTimeoutMs = 180_000;
const comesBackMs = 60_000;

const faultsOf = (cluster: Cluster): Fault[] => {
  const primary = async () => {
    await waitFor('a primary', async () => (await cluster.findPrimary()) !== undefined, recoveryTimeoutMs);
    const member = await cluster.findPrimary();
    if (!member) throw new Error('there is no primary');
    return member;
  };
  const isWhole = async () => (await cluster.findStandbys()).length === memberNames.length - 1;
  const isSynchronous = async () => (await cluster.findSynchronousStandbys()).length > 0;
  /** Resolves when each commit is stored twice again. A member that does not follow the primary by itself is restarted. */
  const untilWhole = async () => {
    for (let tries = 1; ; tries += 1) {
      try {
        await waitFor('both standbys', isWhole, comesBackMs);
        await waitFor('a synchronous standby', isSynchronous, comesBackMs);
        return;
      } catch (error) {
        if (tries === 4) throw error;
        const kept = [await cluster.findPrimary(), ...(await cluster.findSynchronousStandbys())];
        for (const member of cluster.members) {
          if (kept.includes(member)) continue;
          await cluster.kill(member);
          cluster.start(member);
        }
      }
    }
  };
  /**
   * Stops the processes of PostgreSQL alone: a Patroni 3.0 that has stood still as the leader names no synchronous standby any more, and no
   * commit is acknowledged until it is restarted.
   */
  const stopFor = async ({ folder }: Machine, ms: number) => {
    const ids = processesIn(folder).filter(isPostgres);
    const signal = (name: NodeJS.Signals) => {
      for (const id of ids) {
        try {
          process.kill(id, name);
        } catch {
          // The process has ended.
        }
      }
    };
    signal('SIGSTOP');
    await pause(ms);
    signal('SIGCONT');
  };
  const target = 'cluster';
  const failover: Fault = {
    name: 'kill of the primary',
    target,
    async strike() {
      const member = await primary();
      await cluster.kill(member);
      await waitFor(
        'a new primary',
        async () => (await cluster.findPrimary()) !== undefined,
        recoveryTimeoutMs,
      );
      return async () => {
        cluster.start(member);
        await untilWhole();
      };
    },
  };
  return [
    failover,
    failover,
    {
      name: 'pause of the primary',
      target,
      async strike(random) {
        await stopFor((await primary()).machine, random() * longestPauseMs);
        return untilWhole;
      },
    },
    {
      name: 'pause of a standby',
      target,
      async strike(random) {
        const [standby] = await cluster.findStandbys();
        if (standby) await stopFor(standby.machine, random() * longestPauseMs);
        return untilWhole;
      },
    },
  ];
};

/** The programs that the test needs. On Debian, as root, it installs those that are missing. */

import { findPostgresFolder } from '../../server/testing/postgres-programs.ts';
import { findProgram } from '../../server/testing/programs.ts';
import { canInstallPackages, installPackages, withoutStartingServices } from '../../tools/debian-packages.ts';

export type Programs = {
  etcd: string;
  patroni: string;
  haproxy: string;
  /** The folder of PostgreSQL's programs. */
  postgresFolder: string;
};

const packages = ['postgresql', 'patroni', 'python3-etcd', 'etcd-server', 'haproxy'] as const;

const howToInstall =
  'The failover test runs on Linux with etcd, Patroni (with its etcd client), HAProxy and PostgreSQL ' +
  `(on Debian, as root: apt-get install ${packages.join(' ')}).`;

/** @throws when a program is missing and cannot be installed; the message says what to install. */
export async function providePrograms(): Promise<Programs> {
  if (!findPrograms() && canInstallPackages()) {
    console.log(`Installing ${packages.join(', ')}`);
    await withoutStartingServices(() => installPackages(packages));
  }
  const found = findPrograms();
  if (!found) throw new Error(howToInstall);
  return found;
}

function findPrograms(): Programs | undefined {
  const [etcd, patroni, haproxy] = ['etcd', 'patroni', 'haproxy'].map(findProgram);
  const postgresFolder = findPostgresFolder('postgres', 'initdb', 'pg_rewind');
  return etcd && patroni && haproxy && postgresFolder
    ? { etcd, patroni, haproxy, postgresFolder }
    : undefined;
}

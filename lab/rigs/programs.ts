import { installPrograms } from '../../tools/debian-packages.ts';

/** Debian's packages of the programs beside the store. Without one its tests are skipped, and say so. */
export const setup = () =>
  installPrograms({
    caddy: 'caddy',
    glewlwyd: 'glewlwyd',
    haproxy: 'haproxy',
    nginx: 'nginx-light',
    pgbouncer: 'pgbouncer',
    promtool: 'prometheus',
    psql: 'postgresql-client',
    strace: 'strace',
    'systemd-analyze': 'systemd',
  });

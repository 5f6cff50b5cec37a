import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { connectionOptions, type PostgresSettings } from './pools.ts';

const beatMs = 500;
const reportMs = 3_000;
const endMs = 200;

/**
 * Listens on its own connection, and connects again when that is lost. It is live once it has received a notification from another
 * connection: a pooler that lends connections per transaction answers queries, but forwards no notifications. @returns `changes`: how many
 * changes were announced, NaN while the listener is not live.
 */
export function listenForChanges(
  settings: PostgresSettings,
  { notify, onListener }: { notify(channel: string): Promise<unknown>; onListener(message: string): void },
) {
  const ownChannel = `node_${randomUUID().replaceAll('-', '')}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  let changes = 0;
  let live: pg.Client | undefined;
  let lostAt = performance.now();
  let isReported = false;

  const report = (): void => {
    const isLost = !live && performance.now() - lostAt > reportMs;
    if (isLost === isReported) return;
    isReported = isLost;
    const message = isLost ? 'not announced: every page is loaded from the database' : 'announced again';
    onListener(`changes of the catalogue are ${message}`);
  };
  const listen = async (): Promise<void> => {
    while (!signal.aborted) {
      const client = new pg.Client({ ...connectionOptions(settings), query_timeout: 2 * beatMs });
      const lose = () => {
        client.removeAllListeners('notification');
        if (live === client) [live, lostAt] = [undefined, performance.now()];
      };
      client.on('error', lose).on('end', lose);
      client.on('notification', () => {
        // The first notification counts too: changes before it were not announced.
        changes += 1;
        live = client;
      });
      try {
        await client.connect();
        // A trigger announces each change of the books on the first channel (migration 0001).
        await client.query(`listen catalogue; listen ${ownChannel}`);
        await notify(ownChannel);
        for (;;) {
          report();
          await pause(beatMs, undefined, { signal });
          await client.query('select 1');
        }
      } catch {
        lose();
      }
      client.end().catch(() => {});
      report();
      await pause(beatMs, undefined, { signal }).catch(() => {});
    }
  };
  const ended = listen();

  return {
    changes: () => (live ? changes : Number.NaN),
    async close() {
      stopping.abort();
      await Promise.race([ended, pause(endMs, undefined, { ref: false })]);
    },
  };
}

/** Hears of changes of the catalogue by any process, on PostgreSQL. */

import { randomUUID } from 'node:crypto';
import { setTimeout as pauseFor } from 'node:timers/promises';
import pg from 'pg';
import { connectionOptions, type PostgresSettings } from './client.ts';

/** The channel on which a trigger announces every change of the books (migration 0001). */
const catalogueChannel = 'catalogue';

/** How often the listening connection is checked, and how soon a lost one is replaced. */
const heartbeatMs = 500;
/** A listener that has not been live for this long is logged. */
const reportMs = 3_000;
/** How long the server may take to close the connection. */
const endMs = 200;
/** After this many heartbeats the path of the notifications is checked too. */
const beatsPerCheck = 10;

/**
 * Listens for PostgreSQL's notifications on a separate connection, and reconnects whenever it is lost. The
 * connection counts as live once it has received a notification that another connection sent, which is checked again
 * every few seconds: through a pooler that lends connections per transaction every query is answered, but no
 * notification arrives.
 * @param notify sends a notification on a channel, over another connection than the listener's.
 * @param onListener called with a sentence when the listener has not been live for some seconds, and when it is again.
 * @returns `changes`: how many changes were announced, NaN while the listener is not connected; `close` ends it.
 */
export function listenForChanges(
  settings: PostgresSettings,
  { notify, onListener }: { notify(channel: string): Promise<unknown>; onListener(message: string): void },
) {
  const ownChannel = `node_${randomUUID().replaceAll('-', '')}`;
  let changes = 0;
  let current: pg.Client | undefined;
  /** The current client, once it has received a notification. */
  let live: pg.Client | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout;
  let isReported = false;
  const startReport = () =>
    setTimeout(() => {
      if (isClosed) return;
      isReported = true;
      onListener('changes of the catalogue are not announced: every page is loaded from the database');
    }, reportMs).unref();
  let report = startReport();

  const setLive = (client: pg.Client | undefined): void => {
    if (client === live) return;
    live = client;
    clearTimeout(report);
    if (!client && !isReported) report = startReport();
    if (client && isReported) {
      isReported = false;
      onListener('changes of the catalogue are announced again');
    }
  };
  const connect = async (): Promise<void> => {
    const client = new pg.Client({ ...connectionOptions(settings), query_timeout: 2 * heartbeatMs });
    current = client;
    let isHeard = true;
    const lose = () => {
      client.removeAllListeners('notification');
      if (live === client) setLive(undefined);
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ channel }) => {
      if (channel === ownChannel) isHeard = true;
      // Changes that were made before this client was live were not announced to it.
      if (channel === catalogueChannel || live !== client) changes += 1;
      setLive(client);
    });
    try {
      await client.connect();
      await client.query(`listen ${catalogueChannel}; listen ${ownChannel}`);
      for (let beat = 0; !isClosed; beat += 1) {
        if (beat % beatsPerCheck === 0) {
          if (!isHeard) return;
          isHeard = false;
        }
        if (!isHeard) notify(ownChannel).catch(() => {});
        await pause(heartbeatMs);
        await client.query('select 1');
      }
    } finally {
      lose();
      client.end().catch(() => {});
    }
  };
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
  const keepConnected = async () => {
    while (!isClosed) {
      await connect().catch(() => {});
      if (!isClosed) await pause(heartbeatMs);
    }
  };
  keepConnected();

  return {
    changes: () => (live ? changes : Number.NaN),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      // A server that hangs does not close the connection.
      await Promise.race([current?.end(), pauseFor(endMs, undefined, { ref: false })]);
      current?.connection.stream.destroy();
    },
  };
}

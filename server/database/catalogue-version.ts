/**
 * The version of the catalogue: a number that grows with every change of the books by any process. A response that was
 * loaded under one version is stale under another (http/response-cache.ts).
 */

import { randomUUID } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as pauseFor } from 'node:timers/promises';
import pg from 'pg';
import { connectionOptions, type PostgresSettings } from './postgres.ts';

export type CatalogueVersion = {
  /**
   * The sum of local changes and of those that the database announces or counts; NaN, which equals nothing, while the
   * latter are unknown. Cheap enough for each request. Read it before the data that it stands for.
   */
  version(): number;
  /** Changes that this process has committed. */
  localChanges(): number;
  /** Changes that the database announces or counts, this process's included; NaN while unknown. */
  databaseChanges(): number;
  /** Call it after each commit that changes the books. */
  recordLocalChange(): void;
};

/** @param databaseChanges how many changes the database has announced or counted; NaN while that is unknown. */
export function createCatalogueVersion(databaseChanges: () => number): CatalogueVersion {
  let localChanges = 0;
  return {
    // Both numbers only grow, so their sum changes when either does.
    version: () => localChanges + databaseChanges(),
    localChanges: () => localChanges,
    databaseChanges,
    recordLocalChange() {
      localChanges += 1;
    },
  };
}

/**
 * Counts the changes of the books in a SQLite file, by all processes and by this one; triggers record them (migration
 * 0003). The only read of the file on this thread: a request must know the number before the cache can respond.
 * @returns `count`: NaN while the file cannot be read.
 */
export function countSqliteChanges(file: string): { count(): number; close(): void } {
  // Without a timeout: nothing here may wait.
  const sqlite = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  let counter: StatementSync | undefined;
  let changes = 0;
  let isChecked = false;
  const endTurn = () => {
    isChecked = false;
  };
  return {
    count() {
      // Once per turn of the event loop: requests of the same turn arrived at the same time.
      if (isChecked) return changes;
      try {
        // Prepared only now: the table may have been created since.
        counter ??= prepareCounter(sqlite);
        [changes = Number.NaN] = counter.get() as unknown as number[];
      } catch {
        // The query that follows reports why the file cannot be read.
        return Number.NaN;
      }
      isChecked = true;
      setImmediate(endTurn);
      return changes;
    },
    close() {
      if (sqlite.isOpen) sqlite.close();
    },
  };
}

const prepareCounter = (sqlite: DatabaseSync): StatementSync => {
  const counter = sqlite.prepare('select count from catalogue_changes');
  counter.setReturnArrays(true);
  return counter;
};

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
export function listenForPostgresChanges(
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

import { once } from 'node:events';
import type pg from 'pg';

/** The members of a connection that `pg` has and its types lack. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  sendCopyFail(message: string): void;
  endCopyFrom(): void;
};

/**
 * Sends rows behind a `copy … from stdin`, as messages of the protocol: whatever they are, they do not become statements.
 * @throws the server's error, or that of `rows`; the client can be used again.
 */
export async function copyIn(
  client: pg.ClientBase,
  statement: string,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  const started = Promise.withResolvers<CopyConnection>();
  const ended = Promise.withResolvers<void>();
  ended.promise.catch(started.reject);
  let isOver = false;
  ended.promise.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  const query: pg.Submittable & Record<string, unknown> = {
    submit: (connection: pg.Connection) => connection.query(statement),
    handleCopyInResponse: started.resolve,
    handleCommandComplete() {},
    handleError: ended.reject,
    handleReadyForQuery: ended.resolve,
  };
  client.query(query);
  const connection = await started.promise;
  try {
    for await (const chunk of rows) {
      if (isOver) break;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) {
        await Promise.race([once(connection.stream, 'drain'), ended.promise]);
      }
    }
    connection.endCopyFrom();
  } catch (error) {
    if (!isOver) connection.sendCopyFail('the rows could not be read');
    await ended.promise.catch(() => {});
    throw error;
  }
  await ended.promise;
}

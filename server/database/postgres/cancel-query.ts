import pg from 'pg';

/** The key for cancelling in PostgreSQL's protocol, which the types of `pg` lack. */
type CancelKey = { processID: number; secretKey: number };

/**
 * Asks the server to cancel what a connection runs, over another connection, as PostgreSQL's protocol does (its manual,
 * Canceling Requests in Progress). A pooler passes it on. The cancelled query fails with the condition 57014.
 * @param options those of the client.
 * @returns when the connection of the request has closed: true if the server has closed it, which it does when it has the request, or if
 * nothing was sent. Otherwise the request may still be on its way, and reach the next query. A pooler may close it earlier than a server.
 */
export async function cancelQuery(client: pg.ClientBase, options: pg.ClientConfig): Promise<boolean> {
  const { processID, secretKey } = client as unknown as CancelKey;
  const cancelClient = new pg.Client(options);
  const connection = cancelClient.connection as pg.Connection & {
    startup(): void;
    cancel(processID: number, secretKey: number): void;
  };
  let isSent = false;
  let isLost = false;
  // Once the connection is encrypted, or at once where it is not, the request takes the place of the log-in.
  connection.startup = () => {
    isSent = true;
    connection.cancel(processID, secretKey);
  };
  connection.on('error', () => {
    isLost = isSent;
  });
  // The server closes the connection without a response, which `pg` takes for a failure.
  cancelClient.on('error', () => {});
  await cancelClient.connect().catch(() => {});
  return !isLost;
}

/** A stop in which health checks fail first, and requests under way are answered. */

import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long requests under way may take when the store no longer listens. */
const finishTimeoutMs = 8_000;

/**
 * Makes `app.close()` go on listening and serving for `delayMs`, so that a proxy has time to notice `isStopping` at its health check. Each
 * response closes its connection, and so empties the proxy's pool. Then the framework closes the listener and the idle connections, and
 * waits for the others; those that take longer than 8 seconds, such as for a lock, are closed.
 */
export function stopGracefully(
  app: FastifyInstance,
  { delayMs }: { delayMs: number },
): { isStopping(): boolean } {
  let isStopping = false;
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done();
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    if (delayMs > 0) app.log.info({ delayMs }, 'the store is stopping and still serves');
    await pause(delayMs);
    const giveUp = () => {
      app.log.warn('the stop gives up on requests that have not finished');
      app.server.closeAllConnections();
    };
    const timer = setTimeout(giveUp, finishTimeoutMs);
    app.server.once('close', () => clearTimeout(timer));
  });
  return { isStopping: () => isStopping };
}

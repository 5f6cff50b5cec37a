/** A real receiver of webhooks, which stores what it gets. */

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type ReceivedWebhook = {
  headers: IncomingHttpHeaders;
  body: string;
  id: string;
  message: { type: string; timestamp: string; data: Record<string, unknown> };
};
export type TestReceiver = Awaited<ReturnType<typeof openReceiver>>;

/** @param answer answers a request; by default with 204. */
export async function openReceiver({
  port = 0,
  answer = (_: ReceivedWebhook, response: ServerResponse): unknown => response.writeHead(204).end(),
} = {}) {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const { headers } = request;
    const body = await text(request);
    const webhook = { headers, body, id: String(headers['webhook-id']), message: JSON.parse(body) };
    received.push(webhook);
    answer(webhook, response);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=1`),
    received,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

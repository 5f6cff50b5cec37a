/** A real receiver of webhooks, which keeps what it is told. */

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type ReceivedWebhook = {
  headers: IncomingHttpHeaders;
  body: string;
  /** The `webhook-id`. */
  id: string;
  message: { type: string; timestamp: string; data: Record<string, unknown> };
};

export type TestReceiver = { url: URL; received: ReceivedWebhook[]; close(): Promise<void> };

type ReceiverOptions = {
  port?: number;
  /** Answers a request; by default with 204. */
  answer?: (webhook: ReceivedWebhook, response: ServerResponse) => void;
};

export async function openReceiver({
  port = 0,
  answer = (_, response) => response.writeHead(204).end(),
}: ReceiverOptions = {}): Promise<TestReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const webhook = {
      headers: request.headers,
      body,
      id: String(request.headers['webhook-id']),
      message: JSON.parse(body),
    };
    received.push(webhook);
    answer(webhook, response);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=1`),
    received,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

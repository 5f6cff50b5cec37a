import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ReceivedResponse } from '../../server/testing/response-faults.ts';
import type { GeneratedRequest } from './requests.ts';

const decompressors: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
};

/** @returns an agent that keeps this many connections to one server open. */
export const keepConnections = (maxSockets: number): Agent => new Agent({ keepAlive: true, maxSockets });

/**
 * Sends a request as it is; `fetch` would refuse or change some of these. It is sent again if the server closed an idle
 * connection just then (RFC 9112, section 9.3.1).
 * @param origin of the server, such as `http://127.0.0.1:3000`.
 * @throws what the socket throws when the server closes the connection without a response.
 */
export const sendRequest = (
  origin: string,
  generated: GeneratedRequest,
  agent: Agent,
): Promise<ReceivedResponse> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const { method, path, headers, body } = generated;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      { hostname, port, method, path, headers: { ...headers, ...length }, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          const body = Buffer.concat(chunks);
          const decompress = decompressors[String(headers['content-encoding'])];
          // The response to HEAD has the header, and no body.
          const isCompressed = decompress && body.length > 0;
          try {
            resolve({ status, headers, body: isCompressed ? decompress(body) : body });
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const wasIdle = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      if (wasIdle) resolve(sendRequest(origin, generated, agent));
      else reject(error);
    });
    sent.end(body);
  });

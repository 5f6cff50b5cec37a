/** Fresh responses are sent in front of the framework (front.ts), at twice its rate (docs/decisions/0021); stale ones while the database is away. */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { digestOf, type Encoding, encodings, etagOf, matchesEtag } from './etags.ts';
import { requestIdHeader } from './request-ids.ts';

export type TextResponse = { text: string; type?: string; link?: string | undefined; version?: number };
export type LoadResponse = () => Promise<TextResponse>;

type CachePolicy = {
  /** An address; undefined for responses whose addresses a client could make up without limit. */
  key: string | undefined;
  isCompressed?: boolean;
  lifetimeMs?: number;
  isFor?: (request: IncomingMessage) => boolean;
};

export const keyWithoutQuery = ({ url }: Pick<FastifyRequest, 'url'>, address: string): string | undefined =>
  url.includes('?') ? undefined : address;

type ResponseCacheParts = {
  catalogueVersion: CatalogueVersion;
  acceptsHost(host: string | undefined): boolean;
  onLoad(): void;
  onHit(route: string, status: 200 | 304, seconds: number): void;
};

/** Headers are a raw list, the fastest form for `node:http`. */
type ReadyResponse = {
  etag: string;
  headers: string[];
  notModifiedHeaders: string[];
  body: Buffer;
  route: string;
};

type Stored = TextResponse & { digest: string; policy: CachePolicy; ready: Map<Encoding, ReadyResponse> };
/** `catalogueVersion`: the version before the load. `endsAt`: a time of `performance.now()`. */
type Entry = Stored & { catalogueVersion: number; endsAt: number };

const bounds = { max: 5_000, maxSize: 32_000_000 };
/** An estimate in bytes of the headers of a response, in each encoding, and of the objects around them. */
const bytesAround = 4_000;
/** The size in all encodings; a compressed text is hardly ever larger. */
const bytesOf = ({ text, policy }: Entry): number =>
  text.length * (policy.isCompressed ? encodings.length + 1 : 2) + bytesAround;
/** How long stale responses are sent before the database is tried again. */
const staleMs = 1_000;

export type ResponseCache = ReturnType<typeof openResponseCache>;

export function openResponseCache({ catalogueVersion, acceptsHost, onLoad, onHit }: ResponseCacheParts) {
  const entries = new LRUCache<string, Entry>({ ...bounds, sizeCalculation: bytesOf });
  const loads = new Map<string, Promise<Stored>>();
  let staleUntil = 0;
  let isDisabled = false;

  // The version is read last: on SQLite that is a read of the file.
  const isFresh = (entry: Entry): boolean =>
    performance.now() < entry.endsAt && entry.catalogueVersion === catalogueVersion.version();

  // Requests with the same version, even an unknown one (NaN), share a load, unless this process has changed the catalogue since.
  const share = (key: string, policy: CachePolicy, load: LoadResponse): Promise<Stored> => {
    const version = catalogueVersion.version();
    const flight = `${version} ${catalogueVersion.localChanges()} ${key}`;
    const start = async (): Promise<Stored> => {
      onLoad();
      const stored = storedOf(await load(), policy);
      const endsAt = performance.now() + (policy.lifetimeMs ?? Number.POSITIVE_INFINITY);
      entries.set(key, { ...stored, catalogueVersion: version, endsAt });
      return stored;
    };
    const current = loads.get(flight) ?? start().finally(() => loads.delete(flight));
    loads.set(flight, current);
    return current;
  };
  const find = async (key: string, policy: CachePolicy, load: LoadResponse): Promise<Stored> => {
    const entry = entries.get(key);
    if (entry && (performance.now() < staleUntil || isFresh(entry))) return entry;
    try {
      return await share(key, policy, load);
    } catch (error) {
      if (entry && isUnavailable(error)) {
        staleUntil = performance.now() + staleMs;
        return entry;
      }
      // The content may be deleted: its old response must not come back while the database is away.
      entries.delete(key);
      throw error;
    }
  };

  return {
    answer(request: IncomingMessage, response: ServerResponse): boolean {
      const { headers, url = '' } = request;
      const entry = isDisabled || !isPlainRequest(request) ? undefined : entries.get(url);
      const ready = entry?.ready.get(encodingFor(headers, entry.policy));
      if (!entry || !ready || entry.policy.isFor?.(request) === false) return false;
      if (!acceptsHost(headers.host) || !isFresh(entry)) return false;
      const startedAt = performance.now();
      const status = matchesEtag(headers['if-none-match'], ready.etag) ? 304 : 200;
      if (status === 304) response.writeHead(304, ready.notModifiedHeaders).end();
      else response.writeHead(200, ready.headers).end(ready.body);
      onHit(ready.route, status, (performance.now() - startedAt) / 1000);
      return true;
    },

    async send(request: FastifyRequest, reply: FastifyReply, policy: CachePolicy, load: LoadResponse) {
      const { key } = policy;
      const stored = key === undefined ? storedOf(await load(), policy) : await find(key, policy, load);
      const { text, digest, ready, type = 'application/json; charset=utf-8', link } = stored;
      const encoding = encodingFor(request.headers, policy);
      const etag = etagOf(digest, encoding);
      reply.headers({ etag, 'cache-control': 'public, no-cache', ...(link && { link }) });
      if (policy.isCompressed) addToVary(reply, 'accept-encoding');
      const notModifiedHeaders = headerList(reply.removeHeader('content-type').getHeaders());
      const body = ready.get(encoding)?.body ?? withoutSpare(await encode[encoding](Buffer.from(text)));
      const contentHeaders = {
        'content-type': type,
        ...(encoding !== 'identity' && { 'content-encoding': encoding }),
        'content-length': body.length,
      };
      if (key !== undefined && isPlainRequest(request.raw) && reply.getHeader('set-cookie') === undefined) {
        const { url: route = 'none' } = request.routeOptions;
        const headers = [...notModifiedHeaders, ...headerList(contentHeaders)];
        ready.set(encoding, { etag, headers, notModifiedHeaders, body, route });
      }
      // Only a response of status 200 has conditions (RFC 9110, section 13.2.1).
      if (reply.statusCode === 200 && matchesEtag(request.headers['if-none-match'], etag))
        return reply.code(304).send();
      return reply.headers(contentHeaders).send(body);
    },

    disable(): void {
      isDisabled = true;
    },
  };
}

const storedOf = (response: TextResponse, policy: CachePolicy): Stored => ({
  ...response,
  ...{ digest: digestOf(response), policy, ready: new Map() },
});

const encode: Readonly<Record<Encoding, (plain: Buffer) => Promise<Buffer>>> = {
  identity: async (plain) => plain,
  gzip: (plain) => promisify(gzip)(plain),
  // Quality 5 is smaller than gzip's best at a tenth of the time that the default (11) takes.
  br: (plain) => promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};

/** Copies a body: zlib returns a part of 16 KB, and short texts are parts of a pool, so a stored body would keep all of it. */
const withoutSpare = (bytes: Buffer): Buffer => Buffer.alloc(bytes.length, bytes);

const encodingFor = ({ 'accept-encoding': accepted }: IncomingHttpHeaders, policy: CachePolicy): Encoding =>
  (policy.isCompressed && accepted && negotiate<Encoding>(accepted, [...encodings])) || 'identity';

/** A request with an `Origin` needs CORS headers; a GET with a body must be read to its end before the connection can carry the next one. */
const isPlainRequest = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.origin === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

const headerList = ({ [requestIdHeader]: _, ...headers }: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().flatMap((one) => [name, String(one)]),
  );

export function addToVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary ? `${vary}, ${name}` : name);
}

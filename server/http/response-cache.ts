/**
 * The response cache: painted pages, the first page of `GET /books`, single books and those beside each, the front, the sitemap, the feed
 * and the description of the API, by address and the catalogue's version.
 * A response is fresh while the version is the one it was loaded under (database/catalogue-version.ts); those that have sales too, of
 * the front and of the books beside another one, have a lifetime.
 *
 * Fresh responses, and 304s for them, are sent in front of the framework (front.ts, docs/decisions/0021). An earlier
 * version sent the same bytes from the route: it ran at 0.50 to 0.59 of a bare `node:http` server, because routing, hooks
 * and a dozen headers cost more than the response itself. What the framework must see is left to it, see
 * {@link isPlainRequest} and `disable`.
 */

import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BoundedMap } from '../database/bounded-map.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import { isUnavailable } from '../database/unavailable.ts';
import { headersOfOneExchange } from './request-ids.ts';

/** The response of a route. */
export type TextResponse = {
  text: string;
  /** Its content type; by default that of JSON. */
  type?: string;
  /** The `Link` header where there is a next page. */
  link?: string | undefined;
  /** Makes the ETag another one, also where the text is the same: of what can be edited, the number of its edits. */
  version?: number | undefined;
};

/** Reads the data and builds the response. Throws what the database throws. */
export type LoadResponse = () => Promise<TextResponse>;

type CachePolicy = {
  /**
   * The address to store the response under; undefined for responses of which a client could ask for any number. A response under the
   * route's own address is one of a fixed set: it is kept, and sent while the database is unavailable, however old it is.
   */
  key: string | undefined;
  /** Compress it for clients that accept brotli or gzip. */
  isCompressed?: boolean;
  /** Load it again after so long, although the catalogue has not changed: it also has what changes otherwise. */
  lifetimeMs?: number;
  /** @returns false for a request that the framework must see, although the response is stored. */
  isFor?: (request: IncomingMessage) => boolean;
};

/**
 * @param address that of the route, however the request spells it.
 * @returns the key of a response; undefined for an address with a query: a client could make up any number of them.
 */
export const keyWithoutQuery = ({ url }: Pick<FastifyRequest, 'url'>, address: string): string | undefined =>
  url.includes('?') ? undefined : address;

export type ResponseCache = {
  /** Sends a fresh response, or 304. @returns false for a request that the cache cannot answer, which is left as it is. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /**
   * Sends a response, or 304 to a client that has it. Simultaneous requests for one key share one load.
   * @throws what `load` throws, unless the last good response may be sent instead.
   */
  send(request: FastifyRequest, reply: FastifyReply, policy: CachePolicy, load: LoadResponse): Promise<void>;
  /** From now on the framework answers every request. */
  disable(): void;
};

type RecordSeconds = (seconds: number) => void;

type ResponseCacheOptions = {
  catalogueVersion: CatalogueVersion;
  /** The framework refuses a request under another `Host`. Called for each hit. */
  acceptsHost(host: string | undefined): boolean;
  /** Called for each response that is loaded from the database. */
  onLoad(): void;
  /** @returns a function that is called for each response that was sent in front of the framework, with the time it took. */
  recorder(route: string, status: 200 | 304): RecordSeconds;
};

/** They bound the responses of which there are many: those of single books. */
const bounds = { maxEntries: 5_000, maxBytes: 32_000_000 };
/** The ready headers of a response, in each encoding, and the objects around it. */
const bytesAround = 4_000;
/** How long a stale response is sent before the database is queried again. */
const retryAfterMs = 1_000;

const encodings = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof encodings)[number];

export function openResponseCache({
  catalogueVersion,
  acceptsHost,
  onLoad,
  recorder,
}: ResponseCacheOptions): ResponseCache {
  /** One for each route at most. Each stays when it is stale. */
  const fixed = new Map<string, Entry>();
  /** All of the same version. */
  const others = new BoundedMap<string, Entry>({
    ...bounds,
    bytesOf: ({ representation }) => representation.maxBytes + bytesAround,
  });
  let versionOfOthers = 0;
  const loads = new Map<string, Load>();
  let retryAt = 0;
  let isDisabled = false;

  const entryOf = (key: string): Entry | undefined => fixed.get(key) ?? others.get(key);
  const store = (key: string, entry: Entry, isFixed: boolean): void => {
    if (isFixed) fixed.set(key, entry);
    // One that a change has made stale meanwhile would only take space.
    if (isFixed || entry.version !== catalogueVersion.version()) return;
    if (entry.version !== versionOfOthers) others.clear();
    versionOfOthers = entry.version;
    others.set(key, entry);
  };

  /** @returns the response to send: fresh or, where it is one of the fixed set, the last good one. */
  const fetch = async (key: string, isFixed: boolean, policy: CachePolicy, load: LoadResponse) => {
    const last = fixed.get(key)?.representation;
    if (last && performance.now() < retryAt) return last;
    const version = catalogueVersion.version();
    const entry = entryOf(key);
    if (entry?.version === version && !isOver(entry)) return entry.representation;
    try {
      return await share(key, version, async () => {
        const representation = new Representation(await load(), policy);
        const endsAt = performance.now() + (policy.lifetimeMs ?? Number.POSITIVE_INFINITY);
        store(key, { version, representation, endsAt }, isFixed);
        return representation;
      });
    } catch (error) {
      if (!last || !isUnavailable(error)) throw error;
      retryAt = performance.now() + retryAfterMs;
      return last;
    }
  };

  /**
   * Single flight: a load that is under way is shared by requests of the same version. While the version is unknown (NaN)
   * they share it too, unless this process has changed the catalogue since it began.
   */
  const share = (key: string, version: number, build: () => Promise<Representation>) => {
    const localChanges = catalogueVersion.localChanges();
    const current = loads.get(key);
    if (current && Object.is(current.version, version) && current.localChanges === localChanges) {
      return current.representation;
    }
    // The version was read before the load, so a change that comes during the load makes the entry stale.
    onLoad();
    const representation = build();
    const started = { version, localChanges, representation };
    loads.set(key, started);
    const finish = () => {
      if (loads.get(key) === started) loads.delete(key);
    };
    representation.then(finish, finish);
    return representation;
  };

  return {
    answer(request, response) {
      const entry = isDisabled || !isPlainRequest(request) ? undefined : entryOf(request.url ?? '');
      const ready = entry?.representation.readyFor(request);
      // The version last: on SQLite it is a read of the file, which a request without an entry need not pay for.
      const isFresh =
        entry &&
        ready &&
        entry.representation.isFor(request) &&
        !isOver(entry) &&
        acceptsHost(request.headers.host) &&
        entry.version === catalogueVersion.version();
      if (!isFresh) return false;
      const startedAt = performance.now();
      const isNotModified = matchesEtag(request.headers['if-none-match'], ready.etag);
      if (isNotModified) response.writeHead(304, ready.notModifiedHeaders).end();
      else response.writeHead(200, ready.headers).end(ready.body);
      const record = isNotModified ? ready.recordNotModified : ready.record;
      record((performance.now() - startedAt) / 1000);
      return true;
    },

    async send(request, reply, policy, load) {
      const { key } = policy;
      const route = request.routeOptions.url ?? 'none';
      const representation =
        key === undefined
          ? new Representation(await load(), policy)
          : await fetch(key, key === route, policy, load);
      const encoding = representation.encodingFor(request.raw);
      const etag = representation.etag(encoding);
      reply.header('etag', etag).header('cache-control', 'public, no-cache');
      if (policy.isCompressed) addToVary(reply, 'accept-encoding');
      if (representation.link) reply.header('link', representation.link);
      const isNotModified = matchesEtag(request.headers['if-none-match'], etag);
      // A cookie is for one client.
      const hasCookie = reply.getHeader('set-cookie') !== undefined;
      const canStore = key !== undefined && isPlainRequest(request.raw) && !hasCookie;
      if (isNotModified && !canStore) {
        reply.code(304).send();
        return;
      }
      const notModifiedHeaders = canStore ? headerList(reply) : [];

      reply.type(representation.type);
      const body = await representation.body(encoding);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      if (canStore) {
        representation.ready.set(encoding, {
          etag,
          headers: [...headerList(reply), 'content-length', String(body.length)],
          notModifiedHeaders,
          body,
          record: recorder(route, 200),
          recordNotModified: recorder(route, 304),
        });
      }
      if (!isNotModified) reply.send(body);
      else reply.removeHeader('content-type').removeHeader('content-encoding').code(304).send();
    },

    disable() {
      isDisabled = true;
    },
  };
}

/** `version`: the catalogue's, from before the load. `endsAt`: as `performance.now()`. */
type Entry = { version: number; representation: Representation; endsAt: number };

const isOver = ({ endsAt }: Entry): boolean =>
  endsAt < Number.POSITIVE_INFINITY && performance.now() >= endsAt;

type Load = { version: number; localChanges: number; representation: Promise<Representation> };

/** A response as `writeHead` and `end` take it; headers as a raw list, the fastest form for `node:http`. */
type ReadyResponse = {
  etag: string;
  headers: string[];
  notModifiedHeaders: string[];
  body: Buffer;
  record: RecordSeconds;
  recordNotModified: RecordSeconds;
};

/** One response in each content encoding, compressed at its first use. */
class Representation {
  readonly type: string;
  readonly link: string | undefined;
  readonly isFor: (request: IncomingMessage) => boolean;
  /** In all encodings; compressed a body is hardly ever larger. */
  readonly maxBytes: number;
  readonly ready = new Map<Encoding, ReadyResponse>();
  readonly #plain: Buffer;
  readonly #isCompressed: boolean;
  readonly #hash: string;
  readonly #bodies = new Map<Encoding, Promise<Buffer>>();

  constructor(
    { text, type = 'application/json; charset=utf-8', link, version }: TextResponse,
    { isCompressed = false, isFor = () => true }: CachePolicy,
  ) {
    this.isFor = isFor;
    this.type = type;
    this.link = link;
    this.#plain = withoutSpare(Buffer.from(text));
    this.#isCompressed = isCompressed;
    this.#hash = hashOf({ text, version });
    this.maxBytes = this.#plain.length * (isCompressed ? encodings.length : 1);
  }

  encodingFor({ headers }: IncomingMessage): Encoding {
    return this.#isCompressed ? negotiateEncoding(headers['accept-encoding']) : 'identity';
  }

  readyFor(request: IncomingMessage): ReadyResponse | undefined {
    return this.ready.get(this.encodingFor(request));
  }

  /** Strong: the same for the same bytes, so each encoding has its own (RFC 9110, section 8.8.3.3). */
  etag(encoding: Encoding): string {
    return etagOf(this.#hash, encoding);
  }

  body(encoding: Encoding): Promise<Buffer> {
    const body = this.#bodies.get(encoding) ?? compress[encoding](this.#plain).then(withoutSpare);
    this.#bodies.set(encoding, body);
    return body;
  }
}

/** zlib returns a part of 16 KB, and short texts are a part of a pool: a stored body would keep all of it. */
function withoutSpare(bytes: Buffer): Buffer {
  return bytes.length === bytes.buffer.byteLength ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
}

const hashOf = ({ text, version }: Pick<TextResponse, 'text' | 'version'>): string =>
  hash('sha256', version === undefined ? text : `${version} ${text}`, 'base64url').slice(0, 27);

const etagOf = (hash: string, encoding: Encoding): string => `"${hash}-${encoding}"`;

/** @returns the ETag of a response as it is sent without a compression. */
export const plainEtag = (response: Pick<TextResponse, 'text' | 'version'>): string =>
  etagOf(hashOf(response), 'identity');

/**
 * @returns whether an `If-Match` (RFC 9110, section 13.1.1) names a response, in any encoding. A weak ETag matches too: a proxy that
 * compresses makes one of each, and here also a weak one stands for a single version.
 */
export const isMatch = (ifMatch: string, response: Pick<TextResponse, 'text' | 'version'>): boolean =>
  encodings.some((encoding) => matchesEtag(ifMatch, etagOf(hashOf(response), encoding)));

const compress: Readonly<Record<Encoding, (plain: Buffer) => Promise<Buffer>>> = {
  identity: async (plain) => plain,
  gzip: (plain) => promisify(gzip)(plain),
  // Quality 5 is smaller than gzip's best at a tenth of the time that the default (11) takes.
  br: (plain) => promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};

/**
 * A cached response answers these requests in full. One with an `Origin` needs CORS headers; a GET with a body must have
 * that body read before the connection can carry the next request.
 */
const isPlainRequest = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.origin === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;

/** By `Accept-Encoding`, of which browsers send a handful of values. */
const negotiated = new BoundedMap<string, Encoding>({ maxEntries: 100 });

function negotiateEncoding(accepted = 'identity'): Encoding {
  const known = negotiated.get(accepted);
  if (known) return known;
  const encoding = negotiate<Encoding>(accepted, [...encodings]) ?? 'identity';
  negotiated.set(accepted, encoding);
  return encoding;
}

/** Compares as RFC 9110, section 13.1.2 says: any of a list, weakly, or `*`. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === etag) return ifNoneMatch === etag;
  const isSame = (tag: string) => tag === etag || tag === `W/${etag}`;
  return ifNoneMatch.split(',').some((one) => {
    const tag = one.trim();
    // Apache renames what it compresses.
    return tag === '*' || isSame(tag) || isSame(tag.replace(/-(?:gzip|br)"$/, '"'));
  });
}

function headerList(reply: FastifyReply): string[] {
  return Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined || headersOfOneExchange.has(name)
      ? []
      : [value].flat().flatMap((one) => [name, String(one)]),
  );
}

/** Adds a request header to `Vary`, which CORS may have set already. */
export function addToVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary ? `${vary}, ${name}` : name);
}

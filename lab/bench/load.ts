/**
 * The load generator: a process that sends requests over keep-alive connections and measures latencies. It speaks just
 * enough HTTP/1.1 over plain sockets to cost less than any server that it measures; a general-purpose client costs more than
 * the fastest of them. It receives one plan as a message, sends one outcome, and exits.
 */

import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile, randomNumbers } from './figures.ts';
import { readProcess } from './machine.ts';

export type PlannedRequest = {
  method: 'GET' | 'POST';
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, with a new Idempotency-Key each time. */
  body?: unknown;
};

/** A kind of request. */
export type PlannedKind = {
  /** How often it is sent, relative to the other kinds. */
  weight: number;
  /** Sent in turn. */
  requests: readonly PlannedRequest[];
  /** Any other status is a failure. */
  expectedStatus: number;
};

export type Plan = {
  port: number;
  /** Of every request, besides its own. */
  headers: Readonly<Record<string, string>>;
  kinds: readonly PlannedKind[];
  connections: number;
  warmUpSeconds: number;
  seconds: number;
  /**
   * Requests arrive at this rate, whether or not earlier ones have their responses; latency is then measured from the
   * arrival. Undefined: each connection sends its next request as soon as it has a response.
   */
  arrivalsPerSecond?: number;
  /** The server's process, whose use of processor and memory is measured. */
  pid: number;
};

export type Outcome = {
  responses: number;
  responsesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Mean size of a response's body. Undefined: `wrk` counts bytes with the headers. */
  bodyBytes: number | undefined;
  /** Number of responses with an unexpected status, and of broken connections. */
  failures: number;
  /** The head of the first of them, or what broke the connection. */
  firstFailure: string;
  /** Shares of one core during the measurement. */
  loadCores: number | undefined;
  serverCores: number | undefined;
  /** The server's resident memory at the end of the measurement. */
  serverRssBytes: number | undefined;
};

const maxConnections = 512;
const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = '\r\n0\r\n\r\n';

type OnResponse = (connection: Connection, status: number, bodyBytes: number, head: string) => void;

/** One connection, one request at a time. */
class Connection {
  readonly #socket: Socket;
  readonly #onResponse: OnResponse;
  startedAt = 0;
  expectedStatus = 0;
  #head = '';
  #status = 0;
  #bodyBytes = 0;
  /** Remaining bytes of the body; NaN when the response is chunked, -1 while the head is incomplete. */
  #remaining = -1;
  #pending: Buffer | undefined;
  #tail = '';

  constructor(
    port: number,
    onResponse: OnResponse,
    onBroken: (connection: Connection, reason: string) => void,
  ) {
    this.#onResponse = onResponse;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk) => this.#read(chunk));
    this.#socket.on('error', (error) => onBroken(this, error.message));
    this.#socket.on('end', () => onBroken(this, 'the server closed a connection'));
  }

  send({ text, expectedStatus }: WrittenRequest, startedAt: number): void {
    this.startedAt = startedAt;
    this.expectedStatus = expectedStatus;
    this.#socket.write(text);
  }

  close(): void {
    this.#socket
      .removeAllListeners('end')
      .removeAllListeners('error')
      .on('error', () => {});
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const rest = this.#remaining === -1 ? this.#readHead(chunk) : chunk;
    if (!rest) return;
    this.#bodyBytes += rest.length;
    if (Number.isNaN(this.#remaining)) {
      this.#tail = (this.#tail + rest.toString('latin1', Math.max(0, rest.length - 7))).slice(-7);
      if (this.#tail !== lastChunk) return;
    } else {
      this.#remaining -= rest.length;
      if (this.#remaining > 0) return;
    }
    this.#remaining = -1;
    this.#onResponse(this, this.#status, this.#bodyBytes, this.#head);
  }

  /** @returns the bytes after the head; undefined while the head is incomplete. */
  #readHead(chunk: Buffer): Buffer | undefined {
    const bytes = this.#pending ? Buffer.concat([this.#pending, chunk]) : chunk;
    const end = bytes.indexOf(headEnd);
    if (end === -1) {
      this.#pending = bytes;
      return undefined;
    }
    this.#pending = undefined;
    this.#head = bytes.toString('latin1', 0, end);
    this.#status = Number(this.#head.slice(9, 12));
    this.#remaining = this.#bodyLength();
    this.#bodyBytes = 0;
    this.#tail = '';
    return bytes.subarray(end + headEnd.length);
  }

  #bodyLength(): number {
    // It has no body, whatever its headers (RFC 9112, section 6.3).
    if (this.#status === 304) return 0;
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head)?.[1];
    return length === undefined ? Number.NaN : Number(length);
  }
}

type Usage = Pick<Outcome, 'loadCores' | 'serverCores' | 'serverRssBytes'> & { seconds: number };

/** @param pid the server's. @returns a function that ends the measurement, and returns its length and what both used. */
export function startMeasuring(pid: number): () => Usage {
  const startedAt = performance.now();
  const loadBefore = process.cpuUsage();
  const serverBefore = readProcess(pid);
  return () => {
    const seconds = (performance.now() - startedAt) / 1000;
    const loadAfter = process.cpuUsage(loadBefore);
    const serverAfter = readProcess(pid);
    return {
      seconds,
      loadCores: (loadAfter.user + loadAfter.system) / 1e6 / seconds,
      serverCores:
        serverBefore && serverAfter && (serverAfter.cpuSeconds - serverBefore.cpuSeconds) / seconds,
      serverRssBytes: serverAfter?.rssBytes,
    };
  };
}

type LatencyFigures = Pick<Outcome, 'responses' | 'responsesPerSecond' | 'p50Ms' | 'p99Ms' | 'maxMs'>;

/** @throws without any latency. */
export function latencyFigures(latenciesMs: readonly number[], seconds: number): LatencyFigures {
  const sorted = Float64Array.from(latenciesMs).sort();
  return {
    responses: sorted.length,
    responsesPerSecond: sorted.length / seconds,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    maxMs: percentile(sorted, 1),
  };
}

function execute(plan: Plan): Promise<Outcome> {
  const nextRequest = writeRequests(plan);
  const latenciesMs: number[] = [];
  let bodyBytes = 0;
  let failures = 0;
  let firstFailure = '';
  let isMeasuring = false;
  let isOver = false;

  const connections: Connection[] = [];
  const idle: Connection[] = [];
  /** Arrival times of requests for which no connection was free; those before `queueStart` have been sent. */
  const queue: number[] = [];
  let queueStart = 0;

  const fail = (reason: string) => {
    if (failures === 0) firstFailure = reason;
    failures += 1;
  };
  const onResponse: OnResponse = (connection, status, bytes, head) => {
    if (isOver) return;
    const now = performance.now();
    if (status !== connection.expectedStatus) fail(head);
    else if (isMeasuring) {
      latenciesMs.push(now - connection.startedAt);
      bodyBytes += bytes;
    }
    if (plan.arrivalsPerSecond === undefined) {
      connection.send(nextRequest(), now);
      return;
    }
    const arrivedAt = queue[queueStart];
    if (arrivedAt === undefined) idle.push(connection);
    else {
      queueStart += 1;
      connection.send(nextRequest(), arrivedAt);
    }
  };
  const open = (): Connection => {
    const connection = new Connection(plan.port, onResponse, (broken, reason) => {
      if (isOver) return;
      fail(reason);
      broken.close();
      connections.splice(connections.indexOf(broken), 1);
    });
    connections.push(connection);
    return connection;
  };
  /** Sends the requests that are due, or queues them while no connection is free. @returns how many were due so far. */
  const sendArrivals = (openedAt: number, perSecond: number, sent: number): number => {
    const due = Math.floor(((performance.now() - openedAt) / 1000) * perSecond);
    for (let index = sent; index < due; index += 1) {
      const arrivedAt = openedAt + (index / perSecond) * 1000;
      const connection = idle.pop() ?? (connections.length < maxConnections ? open() : undefined);
      if (connection) connection.send(nextRequest(), arrivedAt);
      else queue.push(arrivedAt);
    }
    return due;
  };

  const openedAt = performance.now();
  let arrivals: NodeJS.Timeout | undefined;
  if (plan.arrivalsPerSecond === undefined) {
    for (let index = 0; index < plan.connections; index += 1) open().send(nextRequest(), openedAt);
  } else {
    const perSecond = plan.arrivalsPerSecond;
    for (let index = 0; index < plan.connections; index += 1) idle.push(open());
    let count = 0;
    arrivals = setInterval(() => {
      count = sendArrivals(openedAt, perSecond, count);
    }, 1);
  }

  return (async () => {
    await pause(plan.warmUpSeconds * 1000);
    const finish = startMeasuring(plan.pid);
    isMeasuring = true;
    await pause(plan.seconds * 1000);
    isMeasuring = false;
    const usage = finish();
    isOver = true;
    clearInterval(arrivals);
    for (const connection of connections) connection.close();
    if (latenciesMs.length === 0) throw new Error(`no good response: ${firstFailure || 'none came at all'}`);
    const figures = latencyFigures(latenciesMs, usage.seconds);
    return { ...figures, ...usage, bodyBytes: bodyBytes / figures.responses, failures, firstFailure };
  })();
}

/** A request as it goes over the connection. */
type WrittenRequest = { text: string; expectedStatus: number };

/**
 * Writes every request beforehand, except for the Idempotency-Key.
 * @returns a function that returns the next request: of a random kind, by the weights.
 */
function writeRequests({ kinds, headers, port }: Plan): () => WrittenRequest {
  const written = kinds.map(({ requests, expectedStatus }) =>
    requests.map((request) => {
      const body = request.body === undefined ? '' : JSON.stringify(request.body);
      const lines = Object.entries({
        host: `127.0.0.1:${port}`,
        ...headers,
        ...request.headers,
        ...(body && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }),
      }).map(([name, value]) => `${name}: ${value}\r\n`);
      const head = `${request.method} ${request.path} HTTP/1.1\r\n${lines.join('')}`;
      return { whole: { text: `${head}\r\n`, expectedStatus }, head, body };
    }),
  );
  const weights = kinds.map(({ weight }) => weight);
  const sum = weights.reduce((one, other) => one + other, 0);
  const random = randomNumbers(1);
  const counts = kinds.map(() => 0);
  const pickKind = (): number => {
    if (kinds.length === 1) return 0;
    let rest = random() * sum;
    return Math.max(
      0,
      weights.findIndex((weight) => {
        rest -= weight;
        return rest < 0;
      }),
    );
  };
  return () => {
    const kind = pickKind();
    const requests = written[kind] ?? [];
    const count = counts[kind] ?? 0;
    counts[kind] = count + 1;
    const request = requests[count % requests.length];
    if (!request) throw new Error('a plan without requests');
    const { whole, head, body } = request;
    if (!body) return whole;
    return { ...whole, text: `${head}idempotency-key: ${randomUUID()}\r\n\r\n${body}` };
  };
}

/** Executes the plan that comes as a message, sends its outcome, and exits. */
export function answerPlan<OfLoad, Result>(executePlan: (plan: OfLoad) => Promise<Result>): void {
  process.once('message', (plan) => {
    executePlan(plan as OfLoad).then(
      (outcome) => {
        process.send?.(outcome, () => process.exit(0));
      },
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}

if (import.meta.main) answerPlan(execute);

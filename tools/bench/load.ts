/**
 * The load: a process of its own that sends requests over kept-alive connections and times the answers. It speaks just
 * enough HTTP/1.1 over plain sockets to cost less than any server that it measures; a client made for everyday use costs
 * more than the fastest of them. It takes one plan as a message, answers with one outcome, and ends.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { percentile, randomNumbers } from './figures.ts';

export type PlannedRequest = {
  method: 'GET' | 'POST';
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, with a fresh Idempotency-Key each time. */
  body?: unknown;
};

/** A kind of request: how often it is sent, compared with the others, and what is sent, one after the other. */
export type PlannedKind = { weight: number; requests: readonly PlannedRequest[] };

export type Plan = {
  port: number;
  /** What each request carries besides its own. */
  headers: Readonly<Record<string, string>>;
  kinds: readonly PlannedKind[];
  connections: number;
  warmUpSeconds: number;
  seconds: number;
  /**
   * Requests a second that arrive whether or not those before them were answered; latency then counts from the arrival.
   * Undefined: each connection sends its next request as soon as it has its answer.
   */
  arrivalsPerSecond?: number;
  /** The server, to see what it takes of the processor and of memory. */
  pid: number;
};

export type Outcome = {
  answers: number;
  answersPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Bytes of an answer's body, on average. */
  bodyBytes: number;
  /** Whatever was no 200 or 201, with the first of them. */
  failures: number;
  firstFailure: string;
  /** Shares of one core during the measurement. */
  loadCores: number;
  serverCores: number | undefined;
  /** The server's resident memory at the end of the measurement. */
  serverRssBytes: number | undefined;
};

const maxConnections = 512;
const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = '\r\n0\r\n\r\n';

type OnAnswer = (connection: Connection, status: number, bodyBytes: number, head: string) => void;

/** One connection, one request at a time. */
class Connection {
  readonly #socket: Socket;
  readonly #onAnswer: OnAnswer;
  startedAt = 0;
  #head = '';
  #status = 0;
  #bodyBytes = 0;
  /** Of the body, still to come; NaN when the answer is chunked, -1 while the head is not complete. */
  #missing = -1;
  #pending: Buffer | undefined;
  #tail = '';

  constructor(port: number, onAnswer: OnAnswer, onBroken: (connection: Connection, reason: string) => void) {
    this.#onAnswer = onAnswer;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk) => this.#read(chunk));
    this.#socket.on('error', (error) => onBroken(this, error.message));
    this.#socket.on('end', () => onBroken(this, 'the server closed a connection'));
  }

  send(bytes: string, startedAt: number): void {
    this.startedAt = startedAt;
    this.#socket.write(bytes);
  }

  close(): void {
    this.#socket
      .removeAllListeners('end')
      .removeAllListeners('error')
      .on('error', () => {});
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const rest = this.#missing === -1 ? this.#readHead(chunk) : chunk;
    if (!rest) return;
    this.#bodyBytes += rest.length;
    if (Number.isNaN(this.#missing)) {
      this.#tail = (this.#tail + rest.toString('latin1', Math.max(0, rest.length - 7))).slice(-7);
      if (this.#tail !== lastChunk) return;
    } else {
      this.#missing -= rest.length;
      if (this.#missing > 0) return;
    }
    this.#missing = -1;
    this.#onAnswer(this, this.#status, this.#bodyBytes, this.#head);
  }

  /** @returns what follows the head, or undefined while that is not complete. */
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
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head)?.[1];
    this.#missing = length === undefined ? Number.NaN : Number(length);
    this.#bodyBytes = 0;
    this.#tail = '';
    return bytes.subarray(end + headEnd.length);
  }
}

function carryOut(plan: Plan): Promise<Outcome> {
  const nextRequest = requestsOf(plan);
  const latenciesMs: number[] = [];
  let bodyBytes = 0;
  let failures = 0;
  let firstFailure = '';
  let isMeasuring = false;
  let isOver = false;

  const connections: Connection[] = [];
  const idle: Connection[] = [];
  const arrived: number[] = [];
  let arrivedFrom = 0;

  const fail = (reason: string) => {
    if (failures === 0) firstFailure = reason;
    failures += 1;
  };
  const onAnswer: OnAnswer = (connection, status, bytes, head) => {
    if (isOver) return;
    const now = performance.now();
    if (status !== 200 && status !== 201) fail(head);
    else if (isMeasuring) {
      latenciesMs.push(now - connection.startedAt);
      bodyBytes += bytes;
    }
    if (plan.arrivalsPerSecond === undefined) {
      connection.send(nextRequest(), now);
      return;
    }
    const waiting = arrived[arrivedFrom];
    if (waiting === undefined) idle.push(connection);
    else {
      arrivedFrom += 1;
      connection.send(nextRequest(), waiting);
    }
  };
  const open = (): Connection => {
    const connection = new Connection(plan.port, onAnswer, (broken, reason) => {
      if (isOver) return;
      fail(reason);
      broken.close();
      connections.splice(connections.indexOf(broken), 1);
    });
    connections.push(connection);
    return connection;
  };
  /** Arrivals that are due. What finds no free connection waits for one, and its time runs. */
  const arrive = (from: number, perSecond: number, already: number): number => {
    const due = Math.floor(((performance.now() - from) / 1000) * perSecond);
    for (let index = already; index < due; index += 1) {
      const at = from + (index / perSecond) * 1000;
      const connection = idle.pop() ?? (connections.length < maxConnections ? open() : undefined);
      if (connection) connection.send(nextRequest(), at);
      else arrived.push(at);
    }
    return due;
  };

  const opened = performance.now();
  let arrivals: NodeJS.Timeout | undefined;
  if (plan.arrivalsPerSecond === undefined) {
    for (let index = 0; index < plan.connections; index += 1) open().send(nextRequest(), opened);
  } else {
    const perSecond = plan.arrivalsPerSecond;
    for (let index = 0; index < plan.connections; index += 1) idle.push(open());
    let count = 0;
    arrivals = setInterval(() => {
      count = arrive(opened, perSecond, count);
    }, 1);
  }

  const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return (async () => {
    await pause(plan.warmUpSeconds);
    const startedAt = performance.now();
    const load = process.cpuUsage();
    const server = readProcess(plan.pid);
    isMeasuring = true;
    await pause(plan.seconds);
    isMeasuring = false;
    const seconds = (performance.now() - startedAt) / 1000;
    const loadAfter = process.cpuUsage(load);
    const serverAfter = readProcess(plan.pid);
    isOver = true;
    clearInterval(arrivals);
    for (const connection of connections) connection.close();
    if (latenciesMs.length === 0)
      throw new Error(`nothing was answered: ${firstFailure || 'no answer came'}`);

    const sorted = Float64Array.from(latenciesMs).sort();
    return {
      answers: sorted.length,
      answersPerSecond: sorted.length / seconds,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      maxMs: percentile(sorted, 1),
      bodyBytes: bodyBytes / sorted.length,
      failures,
      firstFailure,
      loadCores: (loadAfter.user + loadAfter.system) / 1e6 / seconds,
      serverCores: server && serverAfter && (serverAfter.cpuSeconds - server.cpuSeconds) / seconds,
      serverRssBytes: serverAfter?.rssBytes,
    };
  })();
}

/** Every request is written out beforehand, but for its fresh key. The kinds take turns by their weights. */
function requestsOf({ kinds, headers, port }: Plan): () => string {
  const written = kinds.map(({ requests }) =>
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
      return { whole: `${head}\r\n`, head, body };
    }),
  );
  const weights = kinds.map(({ weight }) => weight);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const random = randomNumbers(1);
  const turns = kinds.map(() => 0);
  const pickKind = (): number => {
    if (kinds.length === 1) return 0;
    let left = random() * all;
    return Math.max(
      0,
      weights.findIndex((weight) => {
        left -= weight;
        return left < 0;
      }),
    );
  };
  return () => {
    const kind = pickKind();
    const requests = written[kind] ?? [];
    const turn = turns[kind] ?? 0;
    turns[kind] = turn + 1;
    const request = requests[turn % requests.length];
    if (!request) throw new Error('a plan without requests');
    return request.body
      ? `${request.head}idempotency-key: ${randomUUID()}\r\n\r\n${request.body}`
      : request.whole;
  };
}

/** From Linux's /proc; elsewhere there is nothing to read. The clock that it counts in ticks 100 times a second. */
function readProcess(pid: number): { cpuSeconds: number; rssBytes: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, rssBytes: Number(rss) * 1024 };
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  process.once('message', (plan) => {
    carryOut(plan as Plan).then(
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

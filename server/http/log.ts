import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

/** At `trace` packages log the headers of requests, and these contain session cookies and tokens. */
const redact = { paths: ['headers', '*.headers', '*.*.headers'], remove: true };

type Level = NonNullable<LoggerOptions['level']>;

type ProcessLogSettings = { logLevel: Level; identity: { mode: 'demo' | 'external' }; isDeveloping: boolean };
type ProcessLog = { log: Logger; print(sentence: string): void };

/** Opens a log. No line contains the headers of a request. */
export const openLog = (level: Level, destination: DestinationStream = process.stdout): Logger =>
  pino({ level, redact }, destination);

/** Characters that wait for a reader or a disk at most; further lines are dropped. */
const maxWaiting = 4_000_000;

/** Opens what writes lines beside the event loop. @param fd the file descriptor, such as that of standard output. */
export function openOutput(fd: number) {
  const output = pino.destination({ fd, sync: false, maxLength: maxWaiting });
  // A full disk must not stop the store: what waits is written with a later line.
  return output.on('error', () => {});
}

/**
 * Opens the log of this process, on standard output: JSON, and in demo mode and development lines for people.
 * @returns `print` writes a sentence between its lines.
 */
export function openProcessLog({ logLevel, identity, isDeveloping }: ProcessLogSettings): ProcessLog {
  const output = openOutput(process.stdout.fd);
  const isForPeople = identity.mode === 'demo' || isDeveloping;
  const log = openLog(logLevel, isForPeople ? { write: (line) => output.write(readable(line)) } : output);
  return { log, print: (sentence) => output.write(`${sentence}\n`) };
}

/** @returns a line for people: the time, the level if it is not `info`, the message, what else it has, and the stack of an error. */
export function readable(line: string): string {
  const {
    level,
    time,
    pid: _,
    hostname: __,
    msg,
    err,
    ...others
  }: Record<string, unknown> = JSON.parse(line);
  const words = [
    new Date(Number(time)).toLocaleTimeString('en-GB'),
    ...(level === pino.levels.values['info'] ? [] : [pino.levels.labels[Number(level)]?.toUpperCase()]),
    msg,
    ...Object.entries(others).map(([name, value]) => `${name}=${inShort(value)}`),
  ];
  const stack =
    err instanceof Object && 'stack' in err ? `\n  ${String(err.stack).replaceAll('\n', '\n  ')}` : '';
  // A terminal would obey control characters.
  return `${words.join(' ')}${stack}\n`.replace(/(?!\n)\p{Cc}/gu, '\ufffd');
}

/** A start on an empty database has a list of all migrations. */
const maxListed = 3;

function inShort(value: unknown): string {
  if (Array.isArray(value) && value.length > maxListed) return String(value.length);
  return typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value);
}

import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { openLogOutput } from './log-output.ts';

/** At `trace` packages log the headers of requests, and these contain session cookies and tokens. */
const redact = { paths: ['headers', '*.headers', '*.*.headers'], remove: true };

type Level = NonNullable<LoggerOptions['level']>;

type ProcessLogSettings = { logLevel: Level; identity: { mode: 'demo' | 'external' }; isDeveloping: boolean };
type ProcessLog = { log: Logger; print(sentence: string): void };

/** Opens a log. No line contains the headers of a request. */
export const openLog = (level: Level, destination: DestinationStream = process.stdout): Logger =>
  pino({ level, redact }, destination);

/**
 * Opens the log of this process, on standard output: JSON, and in demo mode and development lines for people.
 * @returns `print` writes a sentence between its lines.
 */
export function openProcessLog({ logLevel, identity, isDeveloping }: ProcessLogSettings): ProcessLog {
  const warnOfDropped = (lines: number) =>
    log.warn({ lines }, 'lines of the log could not be written, and were dropped');
  const output = openLogOutput(process.stdout.fd, warnOfDropped);
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

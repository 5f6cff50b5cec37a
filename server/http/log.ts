import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

/** At `trace` packages log the headers of requests, and these contain session cookies and tokens. */
const redact = { paths: ['headers', '*.headers', '*.*.headers'], remove: true };

type Level = NonNullable<LoggerOptions['level']>;

type LogSettings = { logLevel: Level; identity: { mode: 'demo' | 'external' }; isDeveloping: boolean };

export const openLog = (level: Level, destination: DestinationStream = process.stdout): Logger =>
  pino({ level, redact }, destination);

/** The most characters that wait for a reader or a disk; further lines are dropped. */
const maxWaiting = 4_000_000;

export function openOutput(fd: number) {
  const output = pino.destination({ fd, sync: false, maxLength: maxWaiting });
  // A full disk must not stop the store: waiting lines are written with a later one.
  return output.on('error', () => {});
}

export function openProcessLog({ logLevel, identity, isDeveloping }: LogSettings) {
  const output = openOutput(process.stdout.fd);
  const isForPeople = identity.mode === 'demo' || isDeveloping;
  const log = openLog(logLevel, isForPeople ? { write: (line) => output.write(readable(line)) } : output);
  return { log, print: (sentence: string) => output.write(`${sentence}\n`) };
}

export function readable(line: string): string {
  const { level, time, msg, err, ...others }: Record<string, unknown> = JSON.parse(line);
  const words = [
    new Date(Number(time)).toLocaleTimeString('en-GB'),
    ...(level === pino.levels.values['info'] ? [] : [pino.levels.labels[Number(level)]?.toUpperCase()]),
    msg,
    ...Object.entries(others)
      .filter(([name]) => name !== 'pid' && name !== 'hostname')
      .map(([name, value]) => `${name}=${inShort(value)}`),
  ];
  const stack =
    err instanceof Object && 'stack' in err ? `\n  ${String(err.stack).replaceAll('\n', '\n  ')}` : '';
  // A terminal would obey control characters.
  return `${words.join(' ')}${stack}\n`.replace(/(?!\n)\p{Cc}/gu, '\ufffd');
}

const inShort = (value: unknown): string =>
  typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value);

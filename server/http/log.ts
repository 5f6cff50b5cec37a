import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { openLogOutput } from './log-output.ts';

/** At `trace` packages log the headers of requests, and these contain session cookies and tokens. */
const redact = { paths: ['headers', '*.headers', '*.*.headers'], remove: true };

/** Opens the log, which goes to standard output by default. No line contains the headers of a request. */
export function openLog(level: NonNullable<LoggerOptions['level']>, destination?: DestinationStream): Logger {
  const warnOfDropped = (lines: number) =>
    log.warn({ lines }, 'lines of the log could not be written, and were dropped');
  const log = pino({ level, redact }, destination ?? openLogOutput(process.stdout.fd, warnOfDropped));
  return log;
}

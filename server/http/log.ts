import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

/** At `trace` packages log the headers of requests, and these contain session cookies and tokens. */
const redact = { paths: ['headers', '*.headers', '*.*.headers'], remove: true };

/** Opens the log. No line contains the headers of a request. */
export const openLog = (
  level: NonNullable<LoggerOptions['level']>,
  destination?: DestinationStream,
): Logger => (destination ? pino({ level, redact }, destination) : pino({ level, redact }));

/** Finds names that were meant for a setting: unread, they would change nothing, without a word. */

import { countMistakes } from '../search/mistakes.ts';

export type NameFault = { name: string; message: string };

/** Other allowed names in `.env`: of the libraries, of Node if systemd or Docker read the same file, and of Docker Compose. */
const libraryNames =
  /^(?:TMPDIR|TZ|LANG|LC_ALL|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|UV_THREADPOOL_SIZE|SSL_CERT_(?:FILE|DIR)|(?:HTTPS?|NO)_PROXY|MALLOC_ARENA_MAX|(?:PG|COMPOSE_)[A-Z_]+)$/;

const severalNodes = 'start several nodes behind a proxy (docs/database.md)';
export const retiredSettings: ReadonlyMap<string, string> = new Map([
  ['WORKERS', severalNodes],
  ['DATABASE_READ_URLS', severalNodes],
  ['DATABASE_READ_URLS_FILE', severalNodes],
]);

/** Names that resemble settings: cronie sets the first, many programs read the second. */
const foreignNames = ['MAILFROM', 'LOGLEVEL'];
/** The fewest letters of a name that is checked: shorter names are too similar to those of other programs. */
const minRefusedLetters = 8;

/**
 * @param names of the environment, including those of other programs: a name one mistake away from a setting is refused. @param fileNames
 * those of `.env`: each must be known.
 */
export const nameFaults = (
  names: readonly string[],
  fileNames: readonly string[],
  known: readonly string[],
): NameFault[] =>
  [...new Set([...names, ...fileNames])]
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const message = faultOf(name, known, fileNames.includes(name));
      return message === undefined ? [] : [{ name, message }];
    });

function faultOf(name: string, known: readonly string[], isInFile: boolean): string | undefined {
  const instead = retiredSettings.get(name);
  if (instead) return `is no setting any more: ${instead}`;
  const near = known.find((one) => countMistakes(name.toUpperCase(), one) <= 1);
  const message = `is no setting of the store${near ? `; is ${near} meant?` : ''}`;
  if (isInFile) return libraryNames.test(name) ? undefined : `${message} (in .env)`;
  const isLong = near && near.replaceAll('_', '').length >= minRefusedLetters;
  // PORTT, a short name with a letter twice, is no other program's.
  const isOurs = isLong || near === name.replace(/(.)\1/, '$1');
  return isOurs && name === name.toUpperCase() && !foreignNames.includes(name) ? message : undefined;
}

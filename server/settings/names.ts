/** Finds names that were meant for a setting: unread, they would change nothing, without a word. */

import { countMistakes } from '../search/mistakes.ts';

export type NameFault = { name: string; message: string };

/**
 * Other names that have a place in `.env`: the store's libraries read them, Node itself where systemd or Docker read the same
 * file, or Docker Compose.
 */
const libraryNames =
  /^(?:TMPDIR|TZ|LANG|LC_ALL|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|UV_THREADPOOL_SIZE|SSL_CERT_(?:FILE|DIR)|(?:HTTPS?|NO)_PROXY|MALLOC_ARENA_MAX|(?:PG|COMPOSE_)[A-Z_]+)$/;

const severalNodes = 'start several nodes behind a proxy (docs/several-nodes.md)';
/** Settings that older versions had, and what to do instead. */
export const retiredSettings: ReadonlyMap<string, string> = new Map([
  ['WORKERS', severalNodes],
  ['DATABASE_READ_URLS', severalNodes],
  ['DATABASE_READ_URLS_FILE', severalNodes],
]);

/** cronie sets the first, many programs read the second. */
const foreignNames = ['MAILFROM', 'LOGLEVEL'];

/** A name of fewer letters is too near to those of other programs to stop a start. */
const minRefusedLetters = 8;
/** `HOSTS` and `PORTS` may be anything. */
const minSimilarLength = 6;
const maxMistakes = 2;

/**
 * @param names of the environment, those of `.env` included.
 * @param fileNames those of `.env`: all of them must be known. The environment has names of other programs too.
 * @returns faults, which stop a start, and warnings.
 */
export function checkNames(
  names: readonly string[],
  fileNames: readonly string[],
  known: readonly string[],
): { faults: NameFault[]; warnings: NameFault[] } {
  const faults: NameFault[] = [];
  const warnings: NameFault[] = [];
  for (const name of new Set([...names, ...fileNames])) {
    if (known.includes(name)) continue;
    const instead = retiredSettings.get(name);
    const isInFile = fileNames.includes(name);
    const nearest = nearestOf(name, known);
    const isLong = nearest !== undefined && nearest.known.replaceAll('_', '').length >= minRefusedLetters;
    const isPlain = name === name.toUpperCase() && !foreignNames.includes(name);
    const message = `is no setting of the store${nearest ? `; is ${nearest.known} meant?` : ''}`;
    if (instead) faults.push({ name, message: `is no setting any more: ${instead}` });
    else if (isInFile && libraryNames.test(name)) continue;
    else if (isInFile) faults.push({ name, message: `${message} (in .env)` });
    else if (nearest?.mistakes === 1 && isLong && isPlain) faults.push({ name, message });
    else if (nearest && (nearest.mistakes < 2 || isLong)) warnings.push({ name, message });
  }
  return { faults, warnings };
}

/** @returns the setting that at most two mistakes make of the name; letters of another case are none. */
function nearestOf(name: string, known: readonly string[]): { known: string; mistakes: number } | undefined {
  return known
    .filter((one) => one.length >= minSimilarLength && Math.abs(one.length - name.length) <= maxMistakes)
    .map((one) => ({ known: one, mistakes: countMistakes(name.toUpperCase(), one, maxMistakes) }))
    .filter(({ mistakes }) => mistakes <= maxMistakes)
    .sort((one, other) => one.mistakes - other.mistakes)[0];
}

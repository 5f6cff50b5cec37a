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
const foreignNames: ReadonlySet<string> = new Set(['MAILFROM', 'LOGLEVEL']);

/** A name of fewer letters is too near to those of other programs to stop a start. */
const minRefusedLetters = 8;

/**
 * @param names of the environment, those of `.env` included.
 * @param fileNames those of `.env`: all of them must be known. The environment has names of other programs too.
 * @returns faults, which stop a start, and warnings.
 */
export function checkNames(
  names: readonly string[],
  fileNames: readonly string[],
  known: ReadonlySet<string>,
): { faults: NameFault[]; warnings: NameFault[] } {
  const faults: NameFault[] = [];
  const warnings: NameFault[] = [];
  const unknown = [...new Set([...names, ...fileNames])].filter((name) => !known.has(name));
  for (const name of unknown) {
    const instead = retiredSettings.get(name);
    if (instead) {
      faults.push({ name, message: `is no setting any more: ${instead}` });
      continue;
    }
    const isInFile = fileNames.includes(name);
    if (isInFile && libraryNames.test(name)) continue;
    const nearest = nearestOf(name, known);
    const letters = nearest?.known.replaceAll('_', '').length ?? 0;
    const message = `is no setting of the store${nearest ? `; is ${nearest.known} meant?` : ''}`;
    if (isInFile) faults.push({ name, message: `${message} (in .env)` });
    else if (
      nearest?.steps === 1 &&
      letters >= minRefusedLetters &&
      name === name.toUpperCase() &&
      !foreignNames.has(name)
    ) {
      faults.push({ name, message });
    } else if (nearest && (nearest.steps < 2 || letters >= minRefusedLetters)) {
      warnings.push({ name, message });
    }
  }
  return { faults, warnings };
}

const maxEdits = 2;

/** @returns the setting that at most two edits make of the name; letters of another case are none. */
function nearestOf(name: string, known: ReadonlySet<string>): { known: string; steps: number } | undefined {
  let nearest: { known: string; steps: number } | undefined;
  const upper = name.toUpperCase();
  for (const one of known) {
    // `HOSTS` and `PORTS` may be anything. Counting letters is quick, and leaves few names to compare.
    if (one.length < 6 || countOthers(upper, one) > maxEdits || countOthers(one, upper) > maxEdits) continue;
    const steps = countMistakes(upper, one);
    if (steps <= maxEdits && steps < (nearest?.steps ?? maxEdits + 1)) nearest = { known: one, steps };
  }
  return nearest;
}

/** @returns how many letters of a text the other one does not have: an edit removes one of them at most. */
function countOthers(text: string, other: string): number {
  if (text.length - other.length > maxEdits) return text.length - other.length;
  let count = 0;
  for (const letter of text) if (!other.includes(letter)) count += 1;
  return count;
}

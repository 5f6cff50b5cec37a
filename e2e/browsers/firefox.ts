/** Finds the Firefox in which the main journeys run. */

import { findProgram, isExecutable } from '../../server/testing/programs.ts';

export const howToInstallFirefox =
  'No Firefox was found. Install it (on Debian: `apt-get install firefox-esr`), or set FIREFOX_PATH to one.';

/** @returns the browser's file; undefined where there is none, or where `FIREFOX_PATH` is not executable. */
export function findFirefox(): string | undefined {
  const chosen = process.env['FIREFOX_PATH'];
  if (chosen) return isExecutable(chosen) ? chosen : undefined;
  return findProgram('firefox-esr') ?? findProgram('firefox');
}

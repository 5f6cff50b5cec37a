/** Finds the Chromium that the browser tests drive. */

import { findProgram, isExecutable } from '../../server/testing/programs.ts';

export const howToInstall =
  'No Chromium was found. Install it (on Debian: `apt-get install chromium-headless-shell`), or set CHROMIUM_PATH to one.';

/** @returns the browser's file; undefined where there is none, or where `CHROMIUM_PATH` is not executable. */
export function findChromium(): string | undefined {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) return isExecutable(chosen) ? chosen : undefined;
  // The first browser draws no windows, so it needs a fifth less processor time.
  return findProgram('chromium-headless-shell') ?? findProgram('chromium') ?? findProgram('google-chrome');
}

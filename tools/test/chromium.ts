/** Finds the Chromium that the browser tests drive; on Debian and its kin it can be installed. */

import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's package brings the browser and its fonts' library; `root` is who may install it. */
export const debianInstall = [
  ['apt-get', 'update'],
  ['apt-get', 'install', '-y', 'chromium'],
] as const;

export const howToInstall =
  'No Chromium was found. Install it (on Debian: `apt-get install chromium`), or set CHROMIUM_PATH to one.';

/** @returns the path of the browser, or undefined where there is none; a wrong `CHROMIUM_PATH` counts as none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env['CHROMIUM_PATH']) return isProgram(env['CHROMIUM_PATH']) ? env['CHROMIUM_PATH'] : undefined;
  const folders = ['/usr/bin', ...(env['PATH'] ?? '').split(delimiter)].filter((folder) => folder !== '');
  return ['chromium', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find(isProgram);
}

export const canInstallChromium = (): boolean =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

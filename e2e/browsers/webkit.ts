/** Finds the WebKit in which a purchase runs: WebKitGTK with its WebDriver, on a display in memory. */

import { findProgram } from '../../server/testing/programs.ts';

/** Debian's names of the packages. */
const webKitPackages = ['webkit2gtk-driver', 'xvfb'];

export const howToInstallWebKit = `No WebKit with a WebDriver was found. Install it (on Debian: \`apt-get install ${webKitPackages.join(' ')}\`).`;

export function findWebKit(): { driver: string; display: string } | undefined {
  const driver = findProgram('WebKitWebDriver');
  const display = findProgram('Xvfb');
  return driver && display ? { driver, display } : undefined;
}

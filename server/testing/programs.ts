/** Programs that are installed on this machine. */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The folders of `PATH`, in its order. */
export const pathFolders = (): string[] =>
  (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');

/** @returns the file of the program; undefined when it is not installed. */
export const findProgram = (name: string): string | undefined =>
  // A user's PATH often lacks the folder of system programs.
  [...pathFolders(), '/usr/bin', '/usr/sbin'].map((folder) => join(folder, name)).find(isExecutable);

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import type { DatabaseSettings } from './open.ts';
import { openServer } from './postgres/open.ts';
import { openFile } from './sqlite/open.ts';

/** For the long work of a command: without time limits, as it is. A missing SQLite file is made. */
export const openUnlimited = (settings: DatabaseSettings) =>
  settings.engine === 'sqlite' ? openFile(settings.file) : openServer(settings);

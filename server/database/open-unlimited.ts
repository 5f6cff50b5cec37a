import type { DatabaseSettings } from './open.ts';
import { openServer } from './postgres/open.ts';
import { openFile } from './sqlite/open.ts';

/** Opens a database for the long work of a command: without time limits, and as it is. A missing SQLite file is created. */
export const openUnlimited = (settings: DatabaseSettings) =>
  settings.engine === 'sqlite' ? openFile(settings.file) : openServer(settings);

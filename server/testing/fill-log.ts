/** A process that writes more lines to its log than a pipe takes, and ends. */

import { setTimeout as pause } from 'node:timers/promises';
import { openLogOutput } from '../http/log-output.ts';

const output = openLogOutput(1, () => {});
for (let line = 0; line < 200; line += 1) output.write(`${'.'.repeat(999)}\n`);
await pause(100);
process.exit(0);

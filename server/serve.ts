/** The process of the store: its settings, and whether it is alone or starts workers. */

import './http/fast-ticks.ts';
import cluster from 'node:cluster';
import { inspect } from 'node:util';
import { readSettings } from './settings/settings.ts';
import { StartError } from './start-error.ts';
import { exitOnSignals, stopOnSignals } from './stop-on-signals.ts';

/** A stop that takes longer than this and STOP_DELAY_MS has a fault, and the process ends anyway. */
const stopTimeoutMs = 10_000;

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof StartError ? error.message : inspect(error)}\n`);
  process.exit(1);
}

/** Serves the store until a signal. @param envFileNames the names of `.env`, where it was loaded. */
export async function serve(envFileNames: readonly string[] = []): Promise<void> {
  // A full disk or a reader that has gone would end the process here, where log-output.ts writes on.
  process.stdout.on('error', () => {});
  try {
    const settings = readSettings(process.env, envFileNames);
    if (settings.workers > 1 && cluster.isPrimary) {
      const { runWorkers } = await import('./workers/primary.ts');
      return await runWorkers(settings);
    }
    const removeExitHandlers = exitOnSignals();
    // Imported only here: the process that starts workers does without the store.
    const { openStore } = await import('./main.ts');
    stopOnSignals(await openStore(settings), {
      timeoutMs: settings.stopDelayMs + stopTimeoutMs,
      onError: fail,
    });
    removeExitHandlers();
  } catch (error) {
    fail(error);
  }
}

if (import.meta.main) await serve();

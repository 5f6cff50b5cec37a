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

export async function serve(envFileNames: readonly string[] = []): Promise<void> {
  // A full disk or a reader that has gone would end the process here, where log.ts writes on.
  process.stdout.on('error', () => {});
  try {
    const settings = readSettings(process.env, envFileNames);
    const removeExitHandlers = exitOnSignals();
    // Imported only here: a wrong setting is refused, and a signal obeyed, before the store is loaded.
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

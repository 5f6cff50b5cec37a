import { inspect } from 'node:util';
import { readSettings } from './settings/settings.ts';
import { StartError } from './start-error.ts';
import { exitOnSignals, stopOnSignals } from './stop-on-signals.ts';

/** A stop that takes longer than this and STOP_DELAY_MS has failed, so the process exits. */
const stopTimeoutMs = 10_000;

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof StartError ? error.message : inspect(error)}\n`);
  process.exit(1);
}

export async function serve(envFileNames: readonly string[] = []): Promise<void> {
  // Without these handlers, a full disk or a closed pipe would end the process, although log.ts goes on.
  process.stdout.on('error', () => {});
  try {
    const settings = readSettings(process.env, envFileNames);
    const removeExitHandlers = exitOnSignals();
    // This import is dynamic: the process refuses wrong settings, and obeys signals, before it loads the store.
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

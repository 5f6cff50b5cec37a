const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Nothing is under way that must finish. The system's own reaction does not suffice: the first process of a container has none. */
export function exitOnSignals(): () => void {
  const exit = () => process.exit(0);
  for (const signal of stopSignals) process.on(signal, exit);
  return () => {
    for (const signal of stopSignals) process.off(signal, exit);
  };
}

type StopOptions = {
  /** The process ends by SIGKILL when `close` takes longer. */
  timeoutMs: number;
  onError(error: unknown): never;
};

/** A further signal changes nothing: a terminal and a service manager may each send one to the same process. */
export function stopOnSignals(
  close: (signal: NodeJS.Signals) => Promise<void>,
  { timeoutMs, onError }: StopOptions,
): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    // `exit` would wait for a statement of SQLite, which cannot be stopped.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), timeoutMs).unref();
    close(signal).then(() => process.exit(0), onError);
  };
  for (const signal of stopSignals) process.on(signal, stop);
}

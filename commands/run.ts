/** `npm run shop -- <noun> <verb>`: what the owner and the operator do beside a running store. */

import { runCommand } from './run-command.ts';

// Backups and exports have customers' data: only this user may read them, from their first byte.
process.umask(0o077);

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The program that reads the output, such as `head`, needs no more.
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`Standard output cannot be written (${code}).\n`);
  process.exit(1);
});

function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

const { env, stdin, stdout, stderr } = process;
const exitCode = await runCommand(process.argv.slice(2), { env, stdin, stdout, stderr, stopSignal });
// Without `exit`, an abandoned connection, or a terminal that is still read, would keep the process alive.
stdout.write('', () => process.exit(exitCode));

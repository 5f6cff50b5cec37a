import { type SpawnOptions, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommand } from '../run-command.ts';

type Environment = Readonly<Record<string, string | undefined>>;
export type Outcome = { stdout: string; stderr: string; exitCode: unknown };

/** Runs a command in this process. @param input the content of standard input. */
export async function runShop(args: readonly string[], env: Environment, input = ''): Promise<Outcome> {
  const [stdout, stderr] = [openSink(), openSink()];
  const exitCode = await runCommand(args, {
    env: { ...process.env, ...env },
    stdin: Readable.from([Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    stopSignal: () => new AbortController().signal,
  });
  return { stdout: stdout.read(), stderr: stderr.read(), exitCode };
}

function openSink() {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write(part, _encoding, done) {
      parts.push(part);
      done();
    },
  });
  return { stream, read: () => Buffer.concat(parts).toString() };
}

/** Starts a command as a process, for tests of signals, of terminals and of two processes at once. */
export const startShop = (args: readonly string[], env: Environment, options: SpawnOptions = {}) =>
  spawn(process.execPath, [join(import.meta.dirname, '..', 'run.ts'), ...args], {
    ...options,
    env: { ...process.env, ...env },
  });

/** Waits until a command that was started has ended. */
export async function outcomeOf(child: ReturnType<typeof startShop>): Promise<Outcome> {
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  return { stdout, stderr, exitCode };
}

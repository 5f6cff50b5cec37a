/** A server as a separate process: started, awaited until it responds, stopped or killed. */

import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export type ServerOptions = {
  /** The program. Unset: this Node. */
  program?: string;
  /** Arguments of this Node: its flags, and the file to run; or those of the other program. */
  nodeArguments: readonly string[];
  /** Besides these the process inherits only the variables of {@link inheritedNames}. */
  environment: Readonly<Record<string, string>>;
  port: number;
  /** The server is ready once `GET` of this path has a 2xx response. */
  readyPath: string;
  workingFolder?: string;
  /** Standard output and standard error are appended to this file. Unset: they are recorded in memory. */
  logFile?: string;
  /** A detached process is out of reach of the terminal's Ctrl-C. */
  isDetached?: boolean;
};

/** How a process ended, as node:child_process reports it. */
export type ExitStatus = { exitCode: number | null; signal: NodeJS.Signals | null };

export type ServerProcess = {
  port: number;
  origin: string;
  pid: number;
  /** From the start of the process to the first response of `readyPath`. */
  readyAfterMs: number;
  /** The text that it has written so far; empty with a `logFile`. */
  stdout(): string;
  stderr(): string;
  /** Sends SIGTERM, unless the process has ended. @returns when it has ended. */
  stop(): Promise<ExitStatus>;
  /** Sends SIGKILL, unless the process has ended. @returns when it has ended. */
  kill(): Promise<ExitStatus>;
};

export class ServerStartError extends Error {
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(
    reason: string,
    exitCode: number | null,
    { stdout, stderr }: { stdout: string; stderr: string },
  ) {
    super(`${reason}\n${stdout}${stderr}`);
    this.name = 'ServerStartError';
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

const startTimeoutMs = 60_000;
const pollIntervalMs = 10;

/** No other variable is inherited: a setting of the store in the environment of a test must not reach the process. */
const inheritedNames = [
  ...['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TZ', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'SystemRoot'],
];
const inheritedEnvironment = Object.fromEntries(
  inheritedNames.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);

/**
 * @returns the process, when it is ready.
 * @throws {ServerStartError} when it ends before, or is not ready within a minute.
 */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { program = process.execPath, nodeArguments, environment, port, readyPath, logFile } = options;
  const startedAt = performance.now();
  const log = logFile === undefined ? 'pipe' : openSync(logFile, 'a');
  const child = spawn(program, nodeArguments, {
    cwd: options.workingFolder,
    env: { ...inheritedEnvironment, ...environment },
    stdio: ['ignore', log, log],
    detached: options.isDetached ?? false,
  });
  if (log !== 'pipe') closeSync(log);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const exited = new AbortController();
  const exit = new Promise<ExitStatus>((resolve, reject) => {
    child.on('error', reject);
    // After `exit`, and when all output has been read.
    child.on('close', (exitCode, signal) => {
      exited.abort();
      resolve({ exitCode, signal });
    });
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exit;
  };

  const origin = `http://127.0.0.1:${port}`;
  const signal = AbortSignal.any([exited.signal, AbortSignal.timeout(startTimeoutMs)]);
  const isReady = await Promise.race([waitForResponse(origin + readyPath, signal), exit.then(() => false)]);
  if (!isReady) {
    const reason = exited.signal.aborted ? 'ended while it started' : `was not ready in ${startTimeoutMs} ms`;
    const { exitCode } = await end('SIGKILL');
    throw new ServerStartError(`The server ${reason}:`, exitCode, output);
  }
  return {
    port,
    origin,
    pid: child.pid ?? 0,
    readyAfterMs: performance.now() - startedAt,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** @returns whether a 2xx response came before the signal. */
async function waitForResponse(address: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const response = await fetch(address, { signal }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => {});
    if (response?.ok) return true;
    await pause(pollIntervalMs);
  }
  return false;
}

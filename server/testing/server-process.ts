/** A server as a separate process: started, awaited until it responds, stopped or killed. */

import { type ChildProcess, spawn } from 'node:child_process';
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

  constructor(reason: string, { exitCode, output }: { exitCode: number | null; output: Output }) {
    super(`${reason}\n${output.stdout()}${output.stderr()}`);
    this.name = 'ServerStartError';
    this.exitCode = exitCode;
    this.stderr = output.stderr();
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
  const { port, readyPath } = options;
  const startedAt = performance.now();
  const child = spawnServer(options);
  const output = recordOutput(child);
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
  const isReady = await Promise.race([
    waitForResponse(
      origin + readyPath,
      AbortSignal.any([exited.signal, AbortSignal.timeout(startTimeoutMs)]),
    ),
    exit.then(() => false),
  ]);
  if (!isReady) {
    const reason = exited.signal.aborted
      ? 'The server ended while it started:'
      : `The server was not ready within ${startTimeoutMs / 1000} s:`;
    const { exitCode } = await end('SIGKILL');
    throw new ServerStartError(reason, { exitCode, output });
  }
  return {
    port,
    origin,
    pid: child.pid ?? 0,
    readyAfterMs: performance.now() - startedAt,
    ...output,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

function spawnServer(options: ServerOptions): ChildProcess {
  const { program = process.execPath, nodeArguments, environment, workingFolder, logFile } = options;
  const log = logFile === undefined ? undefined : openSync(logFile, 'a');
  try {
    return spawn(program, nodeArguments, {
      cwd: workingFolder,
      env: { ...inheritedEnvironment, ...environment },
      stdio: ['ignore', log ?? 'pipe', log ?? 'pipe'],
      detached: options.isDetached ?? false,
    });
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

type Output = Pick<ServerProcess, 'stdout' | 'stderr'>;

function recordOutput(child: ChildProcess): Output {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return { stdout: () => stdout, stderr: () => stderr };
}

/** @returns whether a 2xx response came before the signal. */
async function waitForResponse(address: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const isOk = await fetch(address, { signal })
      .then(async (response) => {
        await response.arrayBuffer();
        return response.ok;
      })
      .catch(() => false);
    if (isOk) return true;
    await pause(pollIntervalMs);
  }
  return false;
}

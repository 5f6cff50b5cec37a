/**
 * Writes the lines of the log to a file descriptor, one write at a time and none on the event loop: a disk without room, a reader that
 * stops and one that has gone must not stop the store, and each write is tried again until it succeeds. pino's own destination ends the
 * process at a full disk, or never lets it end.
 */

import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';

/** Characters that wait at most, besides those that are being written; further lines are dropped. */
const maxWaiting = 4_000_000;
/** Pause while a pipe is full: a slow reader empties 64 KB of it at a time. */
const retryMs = 20;
/** Pause after another error, such as that of a full disk. */
const laterMs = 1_000;
/** Time that the end of the process gives a slow reader. */
const lastMs = 1_000;

type LogOutput = { write(line: string): void };

/**
 * @param inherited the file descriptor, such as that of standard output.
 * @param onDropped called with the number of lines that were dropped, when lines are written again.
 */
export function openLogOutput(inherited: number, onDropped: (lines: number) => void): LogOutput {
  const fd = openWithoutBlocking(inherited);
  let waiting: string[] = [];
  let waitingLength = 0;
  let dropped = 0;
  /** The lines that are being written, or their rest. */
  let rest: Buffer | undefined;
  let isInThread = false;
  let isScheduled = false;
  let hasLines = false;

  const writeRest = () => {
    if (!rest) return;
    isInThread = true;
    write(fd, rest, (error, written) => {
      isInThread = false;
      if (error) setTimeout(writeRest, isBusy(error) ? retryMs : laterMs).unref();
      else finish(written);
    });
  };
  const finish = (written: number) => {
    rest = rest?.subarray(written);
    if (rest?.length) return writeRest();
    rest = undefined;
    writeWaiting();
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  };
  const takeWaiting = (): Buffer => {
    const lines = Buffer.from(waiting.join(''));
    waiting = [];
    waitingLength = 0;
    return lines;
  };
  const writeWaiting = () => {
    isScheduled = false;
    if (rest || waiting.length === 0) return;
    rest = takeWaiting();
    writeRest();
  };

  const writeAtExit = () => {
    // A write that is under way ends in its thread.
    const last = Buffer.concat([...(rest && !isInThread ? [rest] : []), takeWaiting()]);
    writeLast(fd, last);
  };
  return {
    write(line) {
      // Not before: tests open many silent logs in a process.
      if (!hasLines) process.on('exit', writeAtExit);
      hasLines = true;
      if (waitingLength + line.length > maxWaiting) {
        dropped += 1;
        return;
      }
      waiting.push(line);
      waitingLength += line.length;
      // The lines of this turn of the event loop are one write.
      if (!isScheduled) setImmediate(writeWaiting);
      isScheduled = true;
    },
  };
}

/**
 * A write that waits for a reader would keep the process from its end. Whether it does is a property of the open file (open(2), “open file
 * description”), which each child that inherits standard output sets anew, so a pipe or terminal is opened once more. Linux alone can.
 */
function openWithoutBlocking(fd: number): number {
  try {
    const stat = fstatSync(fd);
    if (!stat.isFIFO() && !stat.isCharacterDevice()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // Such as a pipe of another user.
    return fd;
  }
}

function writeLast(fd: number, last: Buffer): void {
  const end = performance.now() + lastMs;
  let left = last;
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(fd, left));
    } catch (error) {
      if (!isBusy(error as NodeJS.ErrnoException) || performance.now() > end) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
    }
  }
}

/** A pipe or socket takes no more at the moment. */
const isBusy = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN';

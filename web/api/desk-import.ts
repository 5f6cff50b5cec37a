/**
 * Sends a file of books to the store. XMLHttpRequest, because `fetch` does not tell how much of a large body has been sent; the
 * response is read while it arrives, line by line.
 */
import { deskPaths } from '../../contract/desk-paths.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { ApiProblem, apiOrigin } from './client.ts';

/** A mistake in a row, which is left out. `column` is null for the row as a whole. */
export type ImportError = { line: number; column: string | null; reason: string };

export type ImportResult = {
  added: number;
  changed: number;
  unchanged: number;
  /** The first thousand. */
  errors: ImportError[];
  errorCount: number;
};

/** How far an import is: its file is being sent, or the store reads it. `secondsLeft` is null while it is not known. */
export type ImportProgress =
  | { step: 'sending'; bytes: number; totalBytes: number }
  | {
      step: 'reading';
      bytes: number;
      totalBytes: number;
      rows: number;
      rowsPerSecond: number | null;
      secondsLeft: number | null;
    };

type Line =
  | ({ type: 'progress' } & Omit<Extract<ImportProgress, { step: 'reading' }>, 'step'>)
  | ({ type: 'result' } & ImportResult)
  | { type: 'failed'; code: string; title: string };

export type ImportOptions = {
  /** Only count what an import would do. */
  isDryRun: boolean;
  onProgress: (progress: ImportProgress) => void;
  signal: AbortSignal;
};

/**
 * Imports a file, which may be repeated: the same row again changes nothing.
 * @throws {ApiProblem} when the store refuses it or fails; a TypeError, as `fetch` does, when the connection fails.
 */
export const importBooks = (
  file: File,
  { isDryRun, onProgress, signal }: ImportOptions,
): Promise<ImportResult> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const path = `${deskPaths.booksImport}?${new URLSearchParams({ dryRun: String(isDryRun) })}`;
    request.open('POST', new URL(path, apiOrigin));
    request.withCredentials = true;
    request.setRequestHeader('content-type', 'text/csv');
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress({ step: 'sending', bytes: loaded, totalBytes: total });

    let position = 0;
    const readLines = () => {
      if (request.status !== 200) return;
      const end = request.responseText.lastIndexOf('\n') + 1;
      const lines = request.responseText.slice(position, end);
      position = Math.max(position, end);
      for (const text of lines.split('\n')) {
        if (text === '') continue;
        const line: Line = JSON.parse(text);
        if (line.type === 'progress') onProgress({ ...line, step: 'reading' });
        else if (line.type === 'result') resolve(line);
        else reject(new ApiProblem(500, line));
      }
    };
    request.onprogress = readLines;
    request.onload = () => {
      readLines();
      if (request.status !== 200) reject(problemOf(request));
      // Nothing happens when there was a result.
      else reject(new TypeError('The response ended before the result.'));
    };
    request.onerror = () => reject(new TypeError('The connection failed.'));
    request.onabort = () => reject(new DOMException('The import was stopped.', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });

const problemOf = ({ status, responseText }: XMLHttpRequest): ApiProblem => {
  try {
    const body: Partial<ProblemBody> = JSON.parse(responseText);
    return new ApiProblem(status, body);
  } catch {
    return new ApiProblem(status, {});
  }
};

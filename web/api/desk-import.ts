/**
 * Sends a file of books to the store. XMLHttpRequest, because `fetch` does not tell how much of a large body has been sent; the
 * response is read while it arrives, line by line.
 */
import type { ImportEvent } from '../../contract/desk/books.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import type { ProblemBody } from '../../contract/problem.ts';
import { ApiProblem, apiOrigin } from './client.ts';

type Event<Type extends ImportEvent['type']> = Extract<ImportEvent, { type: Type }>;
export type ImportResult = Event<'result'>;

/** How far an import is: its file is being sent, or the store reads it. */
export type ImportProgress = { type: 'sending'; bytes: number; totalBytes: number } | Event<'progress'>;

export type ImportOptions = {
  /** Only count what an import would do. */
  isDryRun: boolean;
  onProgress: (progress: ImportProgress) => void;
  /** Called with the line up to which all is done, however the import ends. */
  onLine: (line: number) => void;
  signal: AbortSignal;
};

/**
 * Imports a file, which may be repeated: the same row again changes nothing.
 * @throws {ApiProblem} when the store refuses it or fails; a TypeError, as `fetch` does, when the connection fails.
 */
export const importBooks = (
  file: File,
  { isDryRun, onProgress, onLine, signal }: ImportOptions,
): Promise<ImportResult> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const path = `${deskPaths.booksImport}?${new URLSearchParams({ dryRun: String(isDryRun) })}`;
    request.open('POST', new URL(path, apiOrigin));
    request.withCredentials = true;
    request.setRequestHeader('content-type', 'text/csv');
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress({ type: 'sending', bytes: loaded, totalBytes: total });

    let position = 0;
    const readLines = () => {
      if (request.status !== 200) return;
      const end = request.responseText.lastIndexOf('\n') + 1;
      const lines = request.responseText.slice(position, end);
      position = Math.max(position, end);
      for (const text of lines.split('\n')) {
        if (text === '') continue;
        const line: ImportEvent = JSON.parse(text);
        if (line.type !== 'result') onLine(line.line);
        if (line.type === 'progress') onProgress(line);
        else if (line.type === 'result') resolve(line);
        else reject(failureOf(line, request.getResponseHeader('x-request-id')));
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

const failureOf = (failed: Event<'failed'>, requestId: string | null): ApiProblem =>
  new ApiProblem(500, { ...failed, ...(requestId === null ? {} : { requestId }) });

const problemOf = ({ status, responseText }: XMLHttpRequest): ApiProblem => {
  try {
    const body: Partial<ProblemBody> = JSON.parse(responseText);
    return new ApiProblem(status, body);
  } catch {
    return new ApiProblem(status, {});
  }
};

import type { ImportEvent } from '../../../contract/desk/books.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { ApiProblem, apiOrigin, readProblem } from '../../api/client.ts';

type Event<Type extends ImportEvent['type']> = Extract<ImportEvent, { type: Type }>;
export type ImportResult = Event<'result'>;
/** The progress of an import, or its last progress before it failed. */
export type ImportProgress = Event<'progress' | 'failed'>;

/** `isDryRun`: true to only count what an import would do. */
export type ImportRun = { file: File; isDryRun: boolean; signal: AbortSignal };

/**
 * Imports a file. A repeated import is safe: the same row changes nothing the second time. The response is read line by line while it
 * arrives. @throws {ApiProblem} when the store refuses it or fails; fetch's own errors when the connection fails.
 */
export const importBooks = async (
  { file, isDryRun, signal }: ImportRun,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> => {
  const response = await fetch(new URL(`${deskPaths.booksImport}?dryRun=${isDryRun}`, apiOrigin), {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'text/csv' },
    body: file,
    signal,
  });
  if (!response.ok || !response.body) throw await readProblem(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let unread = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new TypeError('The response ended before the result.');
    const lines = (unread + value).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      const event: ImportEvent = JSON.parse(line);
      if (event.type === 'result') return event;
      onProgress(event);
      const requestId = response.headers.get('x-request-id');
      if (event.type === 'failed') throw new ApiProblem(500, { ...event, ...(requestId && { requestId }) });
    }
  }
};

import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { columnsInWords } from '../../../contract/book-fields.ts';
import { counted } from '../../../contract/counted.ts';
import type { ImportEvent } from '../../../contract/desk/books.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { downloadAddress } from '../../api/changes.ts';
import { ApiProblem, apiOrigin, readProblem } from '../../api/client.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { FileField } from '../../components/field.tsx';
import { withReason } from '../../components/with-reason.ts';
import { ExportLinks, ViewHead } from '../view-head.tsx';
import { ImportReport, type ImportResult } from './import-report.tsx';

/** `isDryRun`: true to only count what an import would do. */
type ImportRun = { file: File; isDryRun: boolean; signal: AbortSignal };
/** The progress of an import, or its last progress before it failed. */
type ImportProgress = Exclude<ImportEvent, ImportResult>;

/** Adds and changes many books from a file. The file is checked first, and then imported. */
export const Import = () => {
  const [progress, setProgress] = useState<ImportProgress>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = useMutation({ mutationFn: (run: ImportRun) => importBooks(run, setProgress) });
  const { file, isDryRun = true } = run.variables ?? {};

  const start = (file: File, isDryRun: boolean) => {
    running.current = new AbortController();
    setProgress(undefined);
    run.mutate({ file, isDryRun, signal: running.current.signal });
  };

  return (
    <>
      <ViewHead name="Import" about="Add and change many books at once, from a CSV file.">
        <ButtonLink href={deskViewAddress('books')}>Back to the books</ButtonLink>
        <ExportLinks label="Export all books as" links={{ CSV: downloadAddress(deskPaths.booksExport) }} />
      </ViewHead>
      <FileField
        label="Choose a CSV file, or drop it here"
        hint={`Columns: ${columnsInWords.required}; ${columnsInWords.optional} if you like. In UTF-8, in any order. Nothing changes until you’ve seen a preview.`}
        accept=".csv,text/csv"
        disabled={run.isPending}
        onPick={(picked) => picked && start(picked, true)}
      />
      {run.isPending && (
        <div ref={keepFocus} className="stack" tabIndex={-1}>
          <ProgressBar step={isDryRun ? 'Checking the file…' : 'Importing the books…'} progress={progress} />
          <div>
            <Button onClick={() => running.current?.abort()}>Stop</Button>
          </div>
          {!isDryRun && (
            <p className="soft">
              Leaving this page stops it too. The books that are in stay, and the same file can be imported
              again.
            </p>
          )}
        </div>
      )}
      {run.isError && file && (
        <div ref={keepFocus} className="edge cluster" role="alert" tabIndex={-1}>
          <p>{messageOf(run.error, isDryRun, progress?.line ?? 0)}</p>
          <Button onClick={() => start(file, isDryRun)}>
            {isStop(run.error) && !isDryRun ? 'Import the rest' : 'Try again'}
          </Button>
        </div>
      )}
      {run.isSuccess && file && (
        <ImportReport fileName={file.name} isDryRun={isDryRun} result={run.data}>
          {isDryRun ? (
            run.data.added + run.data.changed > 0 && (
              <Button variant="primary" onClick={() => start(file, false)}>
                Import {counted(run.data.added + run.data.changed, 'book')}
              </Button>
            )
          ) : (
            <ButtonLink href={deskViewAddress('books')}>To the books</ButtonLink>
          )}
        </ImportReport>
      )}
    </>
  );
};

/**
 * Imports a file. A repeated import is safe: the same row changes nothing the second time. The response is read line by line while it
 * arrives. @throws {ApiProblem} when the store refuses it or fails; fetch's own errors when the connection fails.
 */
const importBooks = async (
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

const ProgressBar = ({ step, progress }: { step: string; progress: ImportProgress | undefined }) => {
  const id = useId();
  const read = progress?.type === 'progress' && progress.totalBytes > 0 ? progress : undefined;
  return (
    <div className="field">
      <p id={id} role="status">
        {read ? step : 'Sending the file…'}
      </p>
      <progress aria-labelledby={id} max={read?.totalBytes} value={read?.bytes} />
      {/* This element is not a status: its text changes all the time. */}
      <p className="soft figures">
        {read
          ? [
              `${Math.floor((read.bytes / read.totalBytes) * 100)} %`,
              `${read.rows.toLocaleString('en')} rows`,
              `${Math.round(read.rowsPerSecond).toLocaleString('en')} a second`,
              ...(read.secondsLeft === null ? [] : [timeLeft(read.secondsLeft)]),
            ].join(' · ')
          : '\u00a0'}
      </p>
    </div>
  );
};

const timeLeft = (seconds: number): string =>
  seconds < 60 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`;

/** Moves the focus, if the pressed button is gone, to the content in its place. */
const keepFocus = (element: HTMLElement | null): void => {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
};

const isStop = ({ name }: Error): boolean => name === 'AbortError';

const messageOf = (error: Error, isDryRun: boolean, lineDone: number): string => {
  const howFar = isDryRun ? '' : ` ${howFarIs(lineDone)}`;
  if (isStop(error)) return isDryRun ? 'The check was stopped.' : `The import was stopped.${howFar}`;
  const what = isDryRun ? 'The file was not checked.' : 'The import did not end.';
  return withReason(what, error) + howFar;
};

const howFarIs = (lineDone: number): string =>
  lineDone === 0
    ? 'What is in already stays, and the same file goes on from there.'
    : `Everything up to line ${lineDone.toLocaleString('en')} is done at least, and the same file goes on from there.`;

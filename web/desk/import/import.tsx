import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { columnsInWords } from '../../../contract/book-fields.ts';
import { counted } from '../../../contract/counted.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { downloadAddress } from '../../api/changes.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { FileField } from '../../components/field.tsx';
import { withReason } from '../../components/with-reason.ts';
import { ExportLinks, ViewHead } from '../view-head.tsx';
import { type ImportProgress, type ImportRun, importBooks } from './api.ts';
import { ImportReport } from './import-report.tsx';

/** Adds and changes many books from a file. The file is checked first, and then imported. */
export const Import = () => {
  const [file, setFile] = useState<File>();
  const [progress, setProgress] = useState<ImportProgress>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = useMutation({ mutationFn: (run: ImportRun) => importBooks(run, setProgress) });
  const { isDryRun = true } = run.variables ?? {};

  const start = (file: File, isDryRun: boolean) => {
    running.current = new AbortController();
    setProgress(undefined);
    run.mutate({ file, isDryRun, signal: running.current.signal });
  };
  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    if (chosen) start(chosen, true);
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
        onPick={choose}
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

type ProgressBarProps = { step: string; progress: ImportProgress | undefined };

const ProgressBar = ({ step, progress }: ProgressBarProps) => {
  const id = useId();
  const read = progress?.type === 'progress' && progress.totalBytes > 0 ? progress : undefined;
  const part = read && read.bytes / read.totalBytes;
  return (
    <div className="field">
      <p id={id} role="status">
        {read ? step : 'Sending the file…'}
      </p>
      <progress aria-labelledby={id} max={1} {...(part !== undefined && { value: part })} />
      {/* This element is not a status: its text changes all the time. */}
      <p className="soft figures">
        {read && part !== undefined
          ? [
              `${Math.floor(part * 100)} %`,
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

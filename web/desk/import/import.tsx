import { useMutation } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { counted } from '../../../contract/counted.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { ApiProblem, isTransient } from '../../api/client.ts';
import { type ImportProgress, type ImportResult, importBooks } from '../../api/desk-import.ts';
import { downloadAddress } from '../../api/desk-queries.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { withReason } from '../../components/with-reason.ts';
import { ExportLinks } from '../export-links.tsx';
import { useAdmission } from '../refused.tsx';
import { ViewHead } from '../view-head.tsx';
import { DropZone } from './drop-zone.tsx';
import type { DroppedFile } from './dropped-file.ts';
import styles from './import.module.css';
import { ImportProgressBar } from './import-progress.tsx';
import { ImportReport } from './import-report.tsx';
import { LastImport } from './last-import.tsx';

/** The last check or import of the file. */
type Outcome = { isDryRun: boolean; result: ImportResult };

/** Adds and changes many books from a file: first it is checked, and then imported. */
export const Import = ({ dropped, onTaken }: DroppedFile) => {
  useAdmission();
  const [file, setFile] = useState<File>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [progress, setProgress] = useState<ImportProgress>();
  const [lineDone, setLineDone] = useState(0);
  const running = useRef<AbortController>(undefined);
  const report = useRef<HTMLHeadingElement>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = useMutation({
    mutationFn: async ({
      file,
      isDryRun,
      signal,
    }: {
      file: File;
      isDryRun: boolean;
      signal: AbortSignal;
    }) => ({
      isDryRun,
      result: await importBooks(file, { isDryRun, onProgress: setProgress, onLine: setLineDone, signal }),
    }),
    onSuccess: (outcome) => {
      flushSync(() => setOutcome(outcome));
      report.current?.focus();
    },
    onSettled: () => setProgress(undefined),
  });

  const start = (file: File, isDryRun: boolean) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setOutcome(undefined);
    setLineDone(0);
    run.mutate({ file, isDryRun, signal: controller.signal });
  };
  const choose = (chosen: File) => {
    setFile(chosen);
    start(chosen, true);
  };
  useEffect(() => {
    if (!dropped) return;
    onTaken();
    if (!run.isPending) choose(dropped);
  });
  const isImporting = run.isPending && !run.variables.isDryRun;
  const isStopped = run.isError && run.error.name === 'AbortError' && !run.variables.isDryRun;
  const current = useRef<HTMLDivElement>(null);
  // The button that was pressed may be gone.
  useLayoutEffect(() => {
    if (run.status !== 'idle' && document.activeElement === document.body)
      current.current?.focus({ preventScroll: true });
  }, [run.status]);

  return (
    <>
      <ViewHead
        name="Import"
        about="Add and change many books at once, from a CSV file, which you may drop on any view."
      >
        <ExportLinks label="Export all books as" links={{ CSV: downloadAddress(deskPaths.booksExport) }} />
      </ViewHead>
      <DropZone file={file} isBusy={run.isPending} onChoose={choose} />
      {run.isIdle && <LastImport />}
      {run.isPending && (
        <div ref={current} className={styles.running} tabIndex={-1}>
          <ImportProgressBar isDryRun={run.variables.isDryRun} progress={progress} />
          <Button onClick={() => running.current?.abort()}>Stop</Button>
          {isImporting && (
            <p>
              Leaving this page stops it too. The books that are in stay, and the same file can be imported
              again.
            </p>
          )}
        </div>
      )}
      {run.isError && !run.isPending && file && (
        <div ref={current} className={styles.failed} role="alert" tabIndex={-1}>
          <p>{messageOf(run.error, run.variables.isDryRun, lineDone)}</p>
          <Button onClick={() => start(file, run.variables.isDryRun)}>
            {isStopped ? 'Import the rest' : 'Try again'}
          </Button>
        </div>
      )}
      {outcome && file && (
        <ImportReport
          headingRef={report}
          fileName={file.name}
          isDryRun={outcome.isDryRun}
          result={outcome.result}
        >
          {outcome.isDryRun ? (
            outcome.result.added + outcome.result.changed > 0 && (
              <Button variant="primary" onClick={() => start(file, false)}>
                Import {counted(outcome.result.added + outcome.result.changed, 'book')}
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

const messageOf = (error: Error, isDryRun: boolean, lineDone: number): string => {
  const howFar = isDryRun ? '' : ` ${howFarIs(lineDone)}`;
  if (error.name === 'AbortError') {
    return isDryRun ? 'The check was stopped.' : `The import was stopped.${howFar}`;
  }
  const what = isDryRun ? 'The file was not checked.' : 'The import did not end.';
  const reason =
    error instanceof ApiProblem && !isTransient(error) ? `${what} ${error.message}` : withReason(what, error);
  return reason + howFar;
};

const howFarIs = (lineDone: number): string =>
  lineDone === 0
    ? 'What is in already stays, and the same file goes on from there.'
    : `Everything up to line ${lineDone.toLocaleString('en')} is done at least, and the same file goes on from there.`;

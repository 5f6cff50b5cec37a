import { useId } from 'react';
import type { ImportProgress } from '../../api/desk-import.ts';
import styles from './import-progress.module.css';

type ImportProgressBarProps = { isDryRun: boolean; progress: ImportProgress | undefined };

/** How much of the file is done, how fast, and how long it still takes. */
export const ImportProgressBar = ({ isDryRun, progress }: ImportProgressBarProps) => {
  const id = useId();
  const part = progress && progress.totalBytes > 0 ? progress.bytes / progress.totalBytes : undefined;
  return (
    <div className={styles.progress}>
      <p id={id} role="status">
        {stepOf(isDryRun, progress)}
      </p>
      <progress
        className={styles.bar}
        aria-labelledby={id}
        max={1}
        {...(part !== undefined && { value: part })}
      />
      {/* Not a status: it changes all the time. */}
      <p className={styles.figures}>{figuresOf(part, progress)}</p>
    </div>
  );
};

const stepOf = (isDryRun: boolean, progress: ImportProgress | undefined): string => {
  if (progress?.type !== 'progress') return 'Sending the file…';
  return isDryRun ? 'Checking the file…' : 'Importing the books…';
};

const figuresOf = (part: number | undefined, progress: ImportProgress | undefined): string => {
  const percent = part === undefined ? [] : [`${Math.floor(part * 100)} %`];
  if (progress?.type !== 'progress') return percent.join('');
  const { rows, rowsPerSecond, secondsLeft } = progress;
  return [
    ...percent,
    `${rows.toLocaleString('en')} rows`,
    `${Math.round(rowsPerSecond).toLocaleString('en')} a second`,
    ...(secondsLeft === null ? [] : [timeLeft(secondsLeft)]),
  ].join(' · ');
};

const timeLeft = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s left`;
  return `${Math.ceil(seconds / 60)} min left`;
};

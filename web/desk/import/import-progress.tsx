import { useId } from 'react';
import type { ImportProgress } from './api.ts';
import styles from './import.module.css';

type ImportProgressBarProps = { isDryRun: boolean; progress: ImportProgress | undefined };

export const ImportProgressBar = ({ isDryRun, progress }: ImportProgressBarProps) => {
  const id = useId();
  const read = progress?.type === 'progress' && progress.totalBytes > 0 ? progress : undefined;
  const part = read && read.bytes / read.totalBytes;
  const step = isDryRun ? 'Checking the file…' : 'Importing the books…';
  return (
    <div className={`stack tight ${styles.progress}`}>
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

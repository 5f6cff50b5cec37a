import { useQuery } from '@tanstack/react-query';
import { lastImportQuery } from '../../api/desk-queries.ts';
import { Time } from '../time.tsx';
import styles from './import.module.css';

/** The place where the last import ended, if it did not come to the end of its file. */
export const LastImport = () => {
  const { data: entry } = useQuery(lastImportQuery);
  const { state, line } = entry?.details ?? {};
  if (!entry || typeof line !== 'number' || state === 'finished') return null;
  const where = `line ${line.toLocaleString('en')}`;
  return (
    <p className={styles.last}>
      {state === 'stopped' ? (
        <>
          The import of <Time iso={entry.at} /> was stopped at {where}. Choose the same file to go on.
        </>
      ) : (
        <>
          The import of <Time iso={entry.at} /> is at {where}, or was when its program ended. Then choose the
          same file to go on.
        </>
      )}
    </p>
  );
};

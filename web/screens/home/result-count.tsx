import styles from './result-count.module.css';

type ResultCountProps = {
  /** How many books a search has found so far. 0 without a search, and when none matches: the list shows a message then. */
  count: number;
  /** There are no more pages of results. */
  isComplete: boolean;
};

/** Announces to screen readers how many books a search has found. */
export const ResultCount = ({ count, isComplete }: ResultCountProps) => (
  <p className={styles.count} role="status">
    {count > 0 && `${isComplete ? '' : 'More than '}${count} ${count === 1 ? 'book' : 'books'} found`}
  </p>
);

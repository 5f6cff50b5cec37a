import styles from './found-count.module.css';

type FoundCountProps = {
  /** Of books found by a search; 0 when nothing was searched, or is found, which the shelf itself says. */
  count: number;
  /** There are no more pages of them. */
  isAll: boolean;
};

/** Says how a search went to those who cannot see the shelf fill. */
export const FoundCount = ({ count, isAll }: FoundCountProps) => (
  <p className={styles.found} role="status">
    {count > 0 && `${isAll ? '' : 'More than '}${count} ${count === 1 ? 'book' : 'books'} found`}
  </p>
);

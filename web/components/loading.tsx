import type { ReactNode } from 'react';
import styles from './loading.module.css';

/** The spinner labelled Loading..., with optional content below it. */
export const Loading = ({ children }: { children?: ReactNode }) => (
  <div className={`middle ${styles.loading}`} role="status" data-is-loading>
    <span className={styles.spinner} aria-hidden="true" />
    <span>Loading...</span>
    {children}
  </div>
);

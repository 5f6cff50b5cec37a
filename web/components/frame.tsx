import type { ReactNode } from 'react';
import styles from './frame.module.css';

/** The ground that a cover lies on. */
export const Frame = ({ children }: { children: ReactNode }) => (
  <div className={styles.frame}>{children}</div>
);

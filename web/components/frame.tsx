import type { ReactNode } from 'react';
import styles from './frame.module.css';

/** The tinted background around a cover. */
export const Frame = ({ children }: { children: ReactNode }) => (
  <div className={styles.frame}>{children}</div>
);

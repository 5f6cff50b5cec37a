import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** A few centred words in place of content, and the way on. */
export const Notice = ({ children, role }: { children: ReactNode; role?: 'alert' | 'status' }) => (
  <div className={styles.notice} role={role}>
    {children}
  </div>
);

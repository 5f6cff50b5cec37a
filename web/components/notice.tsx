import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** A short centred message in place of content, and usually a button or a link. */
export const Notice = ({ children, role }: { children: ReactNode; role?: 'alert' | 'status' }) => (
  <div className={styles.notice} role={role}>
    {children}
  </div>
);

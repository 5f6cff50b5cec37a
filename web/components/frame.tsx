import type { ReactNode } from 'react';
import styles from './frame.module.css';

/** The tinted background around a cover. `isDestination`: the cover of a card travels here, see travelling-cover.ts. */
export const Frame = ({ children, isDestination }: { children: ReactNode; isDestination?: boolean }) => (
  <div className={styles.frame} data-cover-arrives={isDestination || undefined}>
    {children}
  </div>
);

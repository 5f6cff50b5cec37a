import type { ReactNode } from 'react';
import styles from './tag.module.css';

/** The state of something, in a word. `isCalling` is for one that waits for the owner. */
export const Tag = ({ isCalling = false, children }: { isCalling?: boolean; children: ReactNode }) => (
  <span className={`${styles.tag} ${isCalling ? styles.isCalling : ''}`}>{children}</span>
);

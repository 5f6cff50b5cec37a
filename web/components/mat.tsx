import type { ReactNode } from 'react';
import styles from './mat.module.css';

/** The ground that a cover lies on. */
export const Mat = ({ children }: { children: ReactNode }) => <div className={styles.mat}>{children}</div>;

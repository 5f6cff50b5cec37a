import type { ReactNode } from 'react';
import { Brand } from './brand.tsx';
import styles from './plain-page.module.css';

/** A page with the brand in its header, and without navigation. */
export const PlainPage = ({ children }: { children: ReactNode }) => (
  <>
    <header className={styles.head}>
      <Brand />
    </header>
    <main className={styles.content}>{children}</main>
  </>
);

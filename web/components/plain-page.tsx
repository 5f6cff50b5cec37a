import type { ReactNode } from 'react';
import { Bar, Brand } from './bar.tsx';
import styles from './plain-page.module.css';

/** A page with the brand in its header, and without navigation. `isLow`: its content takes the height that there is, and no more. */
export const PlainPage = ({ isLow, children }: { isLow?: boolean; children: ReactNode }) => (
  <>
    <Bar>
      <Brand />
    </Bar>
    <main id="content" className={`page ${styles.content}`} data-is-low={isLow}>
      {children}
    </main>
  </>
);

import type { ReactNode } from 'react';
import { Bar, Brand } from './bar.tsx';

/** A page with the brand in its header, and without navigation. */
export const PlainPage = ({ isLow, children }: { isLow?: boolean; children: ReactNode }) => (
  <>
    <Bar>
      <Brand />
    </Bar>
    <main id="content" className={`page ${isLow ? 'middle' : ''}`}>
      {children}
    </main>
  </>
);

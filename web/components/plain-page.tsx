import type { ReactNode } from 'react';
import { Bar, Brand } from './bar.tsx';

type PlainPageProps = { isLow?: boolean; visitor?: ReactNode; children: ReactNode };

/** A page with the brand in its header, and without navigation. */
export const PlainPage = ({ isLow, visitor, children }: PlainPageProps) => (
  <>
    <Bar>
      <Brand />
      {visitor}
    </Bar>
    <main id="content" className={`page ${isLow ? 'middle' : ''}`}>
      {children}
    </main>
  </>
);

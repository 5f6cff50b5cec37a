import type { ReactNode } from 'react';

type PlainPageProps = { isLow?: boolean; children: ReactNode };

/** The content of a screen, centred with `isLow`. */
export const PlainPage = ({ isLow, children }: PlainPageProps) => (
  <main id="content" className={`page ${isLow ? 'middle' : ''}`}>
    {children}
  </main>
);

import type { ReactNode } from 'react';

/** The content of a screen. */
export const PlainPage = ({ children }: { children: ReactNode }) => (
  <main id="content" className="page">
    {children}
  </main>
);

import type { ComponentProps, ReactNode } from 'react';
import { Router } from 'wouter';
import type { SignedIn } from '../../contract/session.ts';
import { SkipLink } from '../components/skip-link.tsx';
import { SignedInOnly } from '../navigation/signed-in-only.tsx';

/** `router`: how the desk navigates, or the address where the server renders. */
type DeskFrameProps = {
  router: Pick<ComponentProps<typeof Router>, 'aroundNav' | 'ssrPath'>;
  children: (customer: SignedIn) => ReactNode;
};

/** The page around every view of the desk. The server renders it alone, because the views need a session. */
export const DeskFrame = ({ router, children }: DeskFrameProps) => (
  <Router {...router}>
    <SkipLink />
    <SignedInOnly>{children}</SignedInOnly>
  </Router>
);

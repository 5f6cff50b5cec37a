import type { ReactNode } from 'react';
import { Redirect } from 'wouter';
import type { SignedIn } from '../contract/session.ts';
import { Loading } from './components/loading.tsx';
import { PlainPage } from './components/plain-page.tsx';
import { ScreenHeading } from './components/screen-heading.tsx';
import { TryAgain } from './components/try-again.tsx';
import { useHere, useSession } from './session.tsx';

/** Shows its content to a signed-in customer, and sends anybody else to the login and back here afterwards. */
export const SignedInOnly = ({ children }: { children: (customer: SignedIn) => ReactNode }) => {
  const session = useSession();
  const here = useHere();
  if (session.isPending) {
    return (
      <PlainPage>
        <Loading />
      </PlainPage>
    );
  }
  if (session.data === undefined) {
    return (
      <PlainPage>
        <ScreenHeading title="Sign-in">This page needs a sign-in</ScreenHeading>
        <TryAgain problem="We could not see who is signed in." onTryAgain={session.refetch} />
      </PlainPage>
    );
  }
  if (!session.data?.email) return <Redirect to="/login" replace state={{ returnTo: here }} />;
  return children(session.data);
};

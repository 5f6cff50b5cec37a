import { Fragment, type ReactNode } from 'react';
import { Redirect } from 'wouter';
import { screens } from '../../contract/paths.ts';
import type { SignedIn } from '../../contract/session.ts';
import { TryAgain } from '../components/fetched.tsx';
import { Loading } from '../components/loading.tsx';
import { ScreenHeading } from '../components/screen-heading.tsx';
import { useCurrentPath, useSession } from '../session/session.ts';

type SignedInOnlyProps = { children: (customer: SignedIn) => ReactNode };

/** Shows its content only to a signed-in customer. A visitor goes to the login, and returns here after the sign-in. */
export const SignedInOnly = ({ children }: SignedInOnlyProps) => {
  const { data: customer, isPending, error, refetch } = useSession();
  const currentPath = useCurrentPath();
  // The key makes React mount the screen anew for another customer, without what was typed into it.
  if (customer?.email) return <Fragment key={customer.email}>{children(customer)}</Fragment>;
  if (customer !== undefined)
    return <Redirect to={screens.login} replace state={{ returnTo: currentPath }} />;
  return (
    <main id="content" className="page">
      {isPending ? (
        <Loading />
      ) : (
        <>
          <ScreenHeading title="Sign-in">This page needs a sign-in</ScreenHeading>
          <TryAgain problem="We could not see who is signed in." error={error} onTryAgain={refetch} />
        </>
      )}
    </main>
  );
};

import { Fragment, type ReactNode } from 'react';
import { Redirect } from 'wouter';
import { screens } from '../../contract/paths.ts';
import type { SignedIn } from '../../contract/session.ts';
import { Loading } from '../components/loading.tsx';
import { PlainPage } from '../components/plain-page.tsx';
import { ScreenHeading } from '../components/screen-heading.tsx';
import { TryAgain } from '../components/try-again.tsx';
import { useCurrentPath, useSession } from '../session/session.ts';

type SignedInOnlyProps = { children: (customer: SignedIn) => ReactNode };

/** Shows its content to a signed-in customer. Redirects a visitor to the login, and back here after the sign-in. */
export const SignedInOnly = ({ children }: SignedInOnlyProps) => {
  const { data: customer, isPending, error, refetch } = useSession();
  const currentPath = useCurrentPath();
  // Another customer's screen begins anew, with nothing that was typed into it.
  if (customer?.email) return <Fragment key={customer.email}>{children(customer)}</Fragment>;
  if (customer !== undefined)
    return <Redirect to={screens.login} replace state={{ returnTo: currentPath }} />;
  return (
    <PlainPage>
      {isPending ? (
        <Loading />
      ) : (
        <>
          <ScreenHeading title="Sign-in">This page needs a sign-in</ScreenHeading>
          <TryAgain problem="We could not see who is signed in." error={error} onTryAgain={refetch} />
        </>
      )}
    </PlainPage>
  );
};

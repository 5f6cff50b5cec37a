import { useQuery } from '@tanstack/react-query';
import { deskPaths } from '../../contract/desk/paths.ts';
import { screens } from '../../contract/paths.ts';
import type { SignedIn } from '../../contract/session.ts';
import { read } from '../api/calls.ts';
import { ApiProblem } from '../api/client.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { PlainPage } from '../components/plain-page.tsx';
import { ScreenHeading } from '../components/screen-heading.tsx';
import { useSignOut } from '../session/session.ts';

/** @returns the store's refusal: the account may use no view of the desk. A view that fetches nothing would not learn it. */
export const useRefusal = (): ApiProblem | undefined => {
  const { error } = useQuery(read('desk', deskPaths.activity, { limit: '1' }));
  return error instanceof ApiProblem && error.status === 403 ? error : undefined;
};

/** In place of the desk, for an account that may not use it. */
export const Refused = ({ customer, refusal }: { customer: SignedIn; refusal: ApiProblem }) => {
  const signOut = useSignOut();
  return (
    <PlainPage>
      <Notice>
        <ScreenHeading title="Desk">This account may not use the desk</ScreenHeading>
        <p>
          You are signed in as <bdi>{customer.email}</bdi>. {refusal.message}
        </p>
        <div className="cluster">
          <ButtonLink href={screens.home}>Back to the shelf</ButtonLink>
          <Button
            variant="subtle"
            onClick={() => signOut.mutate({ everywhere: false })}
            isBusy={signOut.isPending}
          >
            Log out
          </Button>
        </div>
        {signOut.isError && <p role="alert">You are still logged in. Please try again.</p>}
      </Notice>
    </PlainPage>
  );
};

import { useEffect } from 'react';
import { Redirect, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { bookToReturnTo, isOnDesk, safeReturnTo } from '../../../contract/return-to.ts';
import { Button } from '../../components/button.tsx';
import { PlainPage } from '../../components/plain-page.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { useIsPainted } from '../../components/use-is-painted.ts';
import { useSession } from '../../session/session.ts';
import { useSignIn } from '../../session/sign-in-popup.ts';
import { storeConfig } from '../../store-config.ts';
import styles from './login.module.css';
import { WantedBook } from './wanted-book.tsx';

/** The sign-in screen. It redirects to the page that the visitor came from as soon as there is a session. */
export const Login = () => {
  const session = useSession();
  const returnTo = useReturnTo();
  const { signIn, isAwaited } = useSignIn(returnTo);
  const isPainted = useIsPainted();
  const wantedBook = bookToReturnTo(returnTo);

  if (session.data?.email)
    return isOnDesk(returnTo) ? <Load address={returnTo} /> : <Redirect to={returnTo} replace />;
  const invitation = <p>Sign in to buy a book, and to look back at the ones you have bought.</p>;
  const button = (
    <div className={styles.action}>
      <Button variant="primary" onClick={signIn} disabled={isPainted}>
        Continue with {storeConfig.providerName}
      </Button>
      <p role="status" className="soft">
        {isAwaited && (
          <>
            Continue in {storeConfig.providerName}’s window.
            <br /> Can’t see it? Press the button again.
          </>
        )}
      </p>
    </div>
  );
  return (
    <PlainPage isLow>
      {wantedBook === undefined ? (
        <div className={`stack ${styles.content}`}>
          <ScreenHeading title="Login">Come in</ScreenHeading>
          {invitation}
          {button}
        </div>
      ) : (
        <WantedBook id={wantedBook} otherwise={invitation}>
          {button}
        </WantedBook>
      )}
    </PlainPage>
  );
};

/** The page that the visitor came from: in the history's state, or in the address after a sign-in in this tab. */
const useReturnTo = (): string => {
  const state = useHistoryState<{ returnTo?: string } | null>();
  const [parameters] = useSearchParams();
  return safeReturnTo(state?.returnTo ?? parameters.get('returnTo') ?? undefined);
};

/** Opens an address of the store that is a page of its own. */
const Load = ({ address }: { address: string }) => {
  useEffect(() => window.location.replace(address), [address]);
  return null;
};

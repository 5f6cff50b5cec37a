import { Redirect, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { safeReturnTo } from '../../../contract/return-to.ts';
import { Brand } from '../../components/brand.tsx';
import { Button } from '../../components/button.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { useSession } from '../../session/session.ts';
import { useSignIn } from '../../session/sign-in.ts';
import { storeConfig } from '../../store-config.ts';
import styles from './login.module.css';

/** The sign-in screen. It redirects to the page that the visitor came from as soon as there is a session. */
export const Login = () => {
  const session = useSession();
  const returnTo = useReturnTo();
  const signIn = useSignIn(returnTo);

  if (session.data?.email) return <Redirect to={returnTo} replace />;
  return (
    <main className={styles.login}>
      <Brand />
      <div className={styles.content}>
        <ScreenHeading title="Login">Come in</ScreenHeading>
        <p>Sign in to buy a book, and to look back at the ones you have bought.</p>
        <Button variant="primary" onClick={signIn}>
          Continue with {storeConfig.providerName}
        </Button>
      </div>
    </main>
  );
};

/** The page that the visitor came from: in the history's state, or in the address after a sign-in in this tab. */
const useReturnTo = (): string => {
  const state = useHistoryState<{ returnTo?: string } | null>();
  const [parameters] = useSearchParams();
  return safeReturnTo(state?.returnTo ?? parameters.get('returnTo') ?? undefined);
};

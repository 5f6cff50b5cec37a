import { Button } from '../../components/button.tsx';
import { useSignOut } from '../../session/session.ts';
import styles from './sign-out-everywhere.module.css';

/** Ends the customer's sessions on every device: a phone was lost, or a library's computer was left signed in. */
export const SignOutEverywhere = () => {
  const signOut = useSignOut();
  return (
    <details className={styles.devices}>
      <summary>Signed in on another device?</summary>
      <p>This ends every session of your account, on this device too.</p>
      <Button onClick={() => signOut.mutate({ everywhere: true })} isBusy={signOut.isPending}>
        Sign out everywhere
      </Button>
      {signOut.isError && (
        <p className={styles.problem} role="alert">
          You are still signed in. Please try again.
        </p>
      )}
    </details>
  );
};

import { Button } from '../../components/button.tsx';
import { useSignOut } from '../../session/session.ts';

/** Ends the customer's sessions on every device: a phone was lost, or a library's computer was left signed in. */
export const SignOutEverywhere = () => {
  const signOut = useSignOut();
  return (
    <details data-no-print>
      <summary className="linkish soft">Signed in elsewhere?</summary>
      <div className="stack tight">
        <p className="soft">This signs you out on every device, including this one.</p>
        <Button onClick={() => signOut.mutate({ everywhere: true })} isBusy={signOut.isPending}>
          Sign out everywhere
        </Button>
        {signOut.isError && (
          <p className="problem" role="alert">
            You are still signed in. Please try again.
          </p>
        )}
      </div>
    </details>
  );
};

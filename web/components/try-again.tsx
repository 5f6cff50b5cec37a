import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { withReason } from './with-reason.ts';

type TryAgainProps = { problem: string; error: Error | null; onTryAgain: () => unknown };

/** Shown when a query has failed after its automatic retries: what failed, and one button. */
export const TryAgain = ({ problem, error, onTryAgain }: TryAgainProps) => (
  <Notice role="alert">
    <p>{withReason(problem, error)}</p>
    <Button onClick={() => void onTryAgain()}>Try again</Button>
  </Notice>
);

import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** Shown when a query has failed after its automatic retries: one sentence, one button. */
export const TryAgain = ({ problem, onTryAgain }: { problem: string; onTryAgain: () => unknown }) => (
  <Notice role="alert">
    <p>{problem}</p>
    <Button onClick={() => void onTryAgain()}>Try again</Button>
  </Notice>
);

import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** For what failed after it was tried a few times by itself: one sentence, one button. */
export const TryAgain = ({ problem, onTryAgain }: { problem: string; onTryAgain: () => unknown }) => (
  <Notice role="alert">
    <p>{problem}</p>
    <Button onClick={() => void onTryAgain()}>Try again</Button>
  </Notice>
);

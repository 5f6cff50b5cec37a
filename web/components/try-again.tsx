import { useLayoutEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { focusHeading } from './screen-heading.tsx';
import { withReason } from './with-reason.ts';

type TryAgainProps = { problem: string; error: Error | null; onTryAgain: () => unknown };

/**
 * Shown when a query has failed after its automatic retries: what failed, and one button. When it goes with the focus on the
 * button, the heading of the screen gets the focus.
 */
export const TryAgain = ({ problem, error, onTryAgain }: TryAgainProps) => {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (current && current === document.activeElement) focusHeading();
    };
  }, []);
  return (
    <Notice role="alert">
      <p>{withReason(problem, error)}</p>
      <Button ref={button} onClick={() => void onTryAgain()}>
        Try again
      </Button>
    </Notice>
  );
};

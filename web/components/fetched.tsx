import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { ApiProblem } from '../api/client.ts';
import type { FoundList } from '../list/use-list.ts';
import { Button } from './button.tsx';
import { Loading } from './loading.tsx';
import { Notice, Problem } from './notice.tsx';
import { focusHeading } from './screen-heading.tsx';
import { withReason } from './with-reason.ts';

type FetchedProps<Data> = {
  /** A query of TanStack Query. */
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  problem: string;
  /** Shown if the store does not have it, or no longer does (404). */
  whenMissing?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** Shows the data of a query in each of its states. Data whose refetch has failed stays, with a message. */
export const Fetched = <Data,>({ query, problem, whenMissing, children }: FetchedProps<Data>) => {
  const { data, error, refetch } = query;
  if (whenMissing && error instanceof ApiProblem && error.status === 404) return whenMissing;
  if (data === undefined)
    return error ? <TryAgain problem={problem} error={error} onTryAgain={refetch} /> : <Loading />;
  return (
    <>
      <Problem text={error && withReason(problem, error)} />
      {children(data)}
    </>
  );
};

type ListedProps<Item> = {
  found: FoundList<Item>;
  problem: string;
  whenEmpty: ReactNode;
  children: (items: Item[]) => ReactNode;
};

/** Shows the items of a list, in each of the query's states. */
export const Listed = <Item,>({ found, problem, whenEmpty, children }: ListedProps<Item>) => {
  const { list, items, isRestoring } = found;
  if (list.isError && !items)
    return <TryAgain problem={problem} error={list.error} onTryAgain={list.refetch} />;
  if (!items || isRestoring) return <Loading />;
  return items.length > 0 ? children(items) : whenEmpty;
};

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

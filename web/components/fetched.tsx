import type { ReactNode } from 'react';
import { ApiProblem } from '../api/client.ts';
import { Loading } from './loading.tsx';
import { TryAgain } from './try-again.tsx';

type FetchedProps<Data> = {
  /** A query of TanStack Query. */
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  problem: string | ((error: Error) => string);
  /** Shown if the store does not have it, or no longer does (404). */
  whenMissing?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** Shows the data of a query in each of its states. Data whose refetch has failed stays. */
export const Fetched = <Data,>({ query, problem, whenMissing, children }: FetchedProps<Data>) => {
  const { data, error, refetch } = query;
  if (whenMissing && error instanceof ApiProblem && error.status === 404) return whenMissing;
  if (data !== undefined) return children(data);
  if (!error) return <Loading />;
  const text = typeof problem === 'function' ? problem(error) : problem;
  return <TryAgain problem={text} error={error} onTryAgain={refetch} />;
};

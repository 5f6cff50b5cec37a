import type { ReactNode } from 'react';
import { ApiProblem } from '../api/client.ts';
import { Loading } from './loading.tsx';
import { TryAgain } from './try-again.tsx';

type FetchedProps<Data> = {
  /** A query of TanStack Query. */
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  problem: string | ((error: Error) => string);
  /** In place of what the store does not have, or has no more (404). */
  whenMissing?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** What a query has fetched, in each of its states. Data that could not be fetched again stays. */
export const Fetched = <Data,>({ query, problem, whenMissing, children }: FetchedProps<Data>) => {
  const { data, error, refetch } = query;
  if (whenMissing && error instanceof ApiProblem && error.status === 404) return whenMissing;
  if (data !== undefined) return children(data);
  if (!error) return <Loading />;
  const text = typeof problem === 'function' ? problem(error) : problem;
  return <TryAgain problem={text} error={error} onTryAgain={refetch} />;
};

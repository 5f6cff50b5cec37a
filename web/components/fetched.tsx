import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { TryAgain } from './try-again.tsx';

type FetchedProps<Data> = {
  /** A query of TanStack Query. */
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  problem: string | ((error: Error) => string);
  children: (data: Data) => ReactNode;
};

/** What a query has fetched, in each of its states. */
export const Fetched = <Data,>({ query, problem, children }: FetchedProps<Data>) => {
  const { data, error, refetch } = query;
  return (
    <>
      {error && (
        <TryAgain
          problem={typeof problem === 'function' ? problem(error) : problem}
          error={error}
          onTryAgain={refetch}
        />
      )}
      {data === undefined ? !error && <Loading /> : children(data)}
    </>
  );
};

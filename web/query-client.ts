import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem, isSessionOver, retryPassing } from './api.ts';
import { forgetSession } from './session.tsx';

const firstPauseMs = 400;
const longestPauseMs = 10_000;

const pauseBeforeRetry = (failures: number, error: Error): number => {
  const asked = error instanceof ApiProblem ? error.retryAfterMs : undefined;
  return Math.min(asked ?? firstPauseMs * 2 ** failures, longestPauseMs);
};

export const createQueryClient = (): QueryClient => {
  const onError = (error: Error) => {
    if (isSessionOver(error)) forgetSession(client);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: retryPassing,
        retryDelay: pauseBeforeRetry,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { networkMode: 'always', retryDelay: pauseBeforeRetry },
    },
  });
  return client;
};

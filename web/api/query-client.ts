import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSessionOver, maxRetryDelayMs, retryAfterMsOf, retryTransient } from './client.ts';

// Components are notified in the task of the change. By default a later task does it; before that, React would undo a tick that is saved at once.
notifyManager.setScheduler(queueMicrotask);

const firstRetryDelayMs = 400;

const retryDelayMs = (failures: number, error: Error): number =>
  Math.min(retryAfterMsOf(error) ?? firstRetryDelayMs * 2 ** failures, maxRetryDelayMs);

/**
 * The client of all queries and mutations of the page. Queries retry transient errors, after `Retry-After` or with
 * exponential backoff; a mutation retries only where its options ask for it. A focus of the window fetches nothing again.
 * @param onSessionOver called when any call is answered with 401.
 */
export const createQueryClient = (onSessionOver: (client: QueryClient) => void): QueryClient => {
  const onError = (error: Error) => {
    if (isSessionOver(error)) onSessionOver(client);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: retryTransient,
        retryDelay: retryDelayMs,
        refetchOnWindowFocus: false,
        // Data that was fetched stays. A query that failed is sent again when the device has a connection.
        refetchOnReconnect: ({ state }) => state.data === undefined,
      },
      mutations: { networkMode: 'always', retryDelay: retryDelayMs },
    },
  });
  return client;
};

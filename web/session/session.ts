/** The session of this tab, kept the same in all tabs. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useSearch } from 'wouter';
import { screens } from '../../contract/paths.ts';
import type { Room } from '../api/calls.ts';
import { retryTransient } from '../api/client.ts';
import { sessionQuery, signOut } from '../api/session.ts';
import { openChannel } from '../memory/platform.ts';

type SessionMessage = 'signed in' | 'signed out';

let otherTabs: ReturnType<typeof openChannel<SessionMessage>> | undefined;

export const tellOtherTabs = (message: SessionMessage): void => otherTabs?.post(message);

/** Clears the session when another tab signs out, and fetches it again when another tab signs in. */
export const syncWithOtherTabs = (queryClient: QueryClient): void => {
  forgetFormerCustomers(queryClient);
  otherTabs = openChannel<SessionMessage>('session', (message) => {
    if (message === 'signed out') clearSession(queryClient);
    else void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  });
};

const roomsOfCustomers: readonly Room[] = ['orders', 'customer', 'desk'];

/** Removes a customer's data from the cache as soon as there is another customer, or none, and before a screen is rendered for them. */
const forgetFormerCustomers = (queryClient: QueryClient): void => {
  let known: string | undefined;
  queryClient.getQueryCache().subscribe(() => {
    const email = queryClient.getQueryData(sessionQuery.queryKey)?.email;
    if (email === known) return;
    known = email;
    for (const room of roomsOfCustomers) queryClient.removeQueries({ queryKey: [room] });
  });
};

/** Sets the session to null, which sends every protected screen to the login. */
export const clearSession = (queryClient: QueryClient): void => {
  const { queryKey } = sessionQuery;
  const isRefreshing = queryClient.isFetching({ queryKey }) > 0;
  queryClient.setQueryData(queryKey, null);
  // An answer on its way may be older than the end of the session, or about the next session. A new request gives the current state.
  if (isRefreshing) void queryClient.invalidateQueries({ queryKey });
};

/** The session query: `data` is undefined while unknown, null without a session, and otherwise the customer. */
export const useSession = () => useQuery(sessionQuery);

/**
 * A mutation that ends the session on the server and in every tab, and then shows the home screen. With `everywhere` it also ends the
 * customer's sessions on other devices.
 */
export const useSignOut = () => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: signOut,
    retry: retryTransient,
    onSuccess: () => {
      // Home comes first: without a session, a protected screen would go to the login instead.
      navigate(screens.home);
      clearSession(queryClient);
      tellOtherTabs('signed out');
    },
  });
};

/** The current path and query, to return to after a sign-in. */
export const useCurrentPath = (): string => {
  const [path] = useLocation();
  const search = useSearch();
  return search ? `${path}?${search}` : path;
};

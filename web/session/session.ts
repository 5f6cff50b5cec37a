/** The session of this tab, kept the same in all tabs. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useSearch } from 'wouter';
import { paths, screens } from '../../contract/paths.ts';
import type { Session, SignOut } from '../../contract/session.ts';
import { type Room, read, send } from '../api/calls.ts';
import { retryTransient } from '../api/client.ts';
import { openChannel } from '../memory/platform.ts';

/** The session of this browser: the customer, or null. Fetched once; a sign-in and a sign-out update it. */
export const sessionQuery = {
  ...read<Session>('session', paths.session),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
};

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

export const useSession = () => useQuery(sessionQuery);

/**
 * A mutation that ends the session on the server and in every tab, and then shows the home screen. With `everywhere` it also ends the
 * customer's sessions on other devices.
 */
export const useSignOut = () => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (options: SignOut) => send('POST', paths.signOut, options),
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

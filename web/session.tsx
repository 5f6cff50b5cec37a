/** The one place that knows who is signed in, and what follows from that. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import { paths } from '../contract/paths.ts';
import type { SignedIn } from '../contract/session.ts';
import { type SignInOutcome, signInChannel } from '../contract/sign-in.ts';
import { apiOrigin, retryPassing } from './api.ts';
import { Loading } from './components/loading.tsx';
import { TryAgain } from './components/try-again.tsx';
import { ordersKey, sessionQuery, signOut } from './queries.ts';
import { randomId } from './random-id.ts';

const otherTabs = new BroadcastChannel('session');

/** Asks again who is signed in whenever another tab says that it has changed. */
export const followOtherTabs = (queryClient: QueryClient): void => {
  otherTabs.addEventListener('message', () => {
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  });
};

/** Makes the session none, which sends every protected screen to the login; what was private goes with it. */
export const forgetSession = (queryClient: QueryClient): void => {
  queryClient.setQueryData(sessionQuery.queryKey, null);
  queryClient.removeQueries({ queryKey: ordersKey });
};

/** The session query: `data` is undefined while unknown, null for none, otherwise the customer. */
export const useSession = () => useQuery(sessionQuery);

/** The path and query being shown, to come back to after signing in. */
export const useHere = (): string => {
  const [path] = useLocation();
  const search = useSearch();
  return search ? `${path}?${search}` : path;
};

/** Shows its content to a signed-in customer, and sends anybody else to the login and back here afterwards. */
export const SignedInOnly = ({ children }: { children: (customer: SignedIn) => ReactNode }) => {
  const session = useSession();
  const here = useHere();
  if (session.isPending) return <Loading />;
  if (session.data === undefined) {
    return <TryAgain problem="We could not see who is signed in." onTryAgain={session.refetch} />;
  }
  if (!session.data?.email) return <Redirect to="/login" replace state={{ returnTo: here }} />;
  return children(session.data);
};

/** Ends the session on the server and here, and goes home. */
export const useSignOut = () => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: signOut,
    retry: retryPassing,
    onSuccess: () => {
      // Home first: without a session a protected screen would go to the login instead.
      navigate('/');
      forgetSession(queryClient);
      otherTabs.postMessage('signed out');
    },
  });
};

/**
 * Starts a sign-in in the provider's popup. Its success shows as the session query's new data; its failure shows
 * nowhere but in the console (spec, section 2).
 */
export const useSignIn = (returnTo: string): (() => void) => {
  const queryClient = useQueryClient();
  const [attempt, setAttempt] = useState<string>();

  useEffect(() => {
    if (!attempt) return;
    const listening = new AbortController();
    const { signal } = listening;

    const askWhoIsSignedIn = async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      if (queryClient.getQueryData(sessionQuery.queryKey)) otherTabs.postMessage('signed in');
    };
    const hear = ({ data: outcome }: MessageEvent<SignInOutcome>) => {
      if (outcome.signedIn) return void askWhoIsSignedIn();
      console.warn('The sign-in did not succeed.');
      setAttempt(undefined);
    };
    // The popup's message can be lost, for instance when the browser put this page to sleep.
    const lookWhenVisible = () => {
      if (document.visibilityState === 'visible') void askWhoIsSignedIn();
    };

    const channel = new BroadcastChannel(signInChannel(attempt));
    channel.addEventListener('message', hear, { signal });
    window.addEventListener('focus', lookWhenVisible, { signal });
    document.addEventListener('visibilitychange', lookWhenVisible, { signal });
    return () => {
      listening.abort();
      channel.close();
    };
  }, [attempt, queryClient]);

  return () => {
    const started = randomId();
    // Opened within the click: Safari blocks a popup that comes later.
    const popup = window.open(
      signInAddress({ attempt: started, returnTo }),
      '_blank',
      'popup,width=480,height=680',
    );
    if (popup) setAttempt(started);
    else window.location.assign(signInAddress({ returnTo }));
  };
};

const signInAddress = (parameters: Record<string, string>): string =>
  `${new URL(paths.signIn, apiOrigin)}?${new URLSearchParams(parameters)}`;

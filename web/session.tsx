/** The one place that knows who is signed in, and what follows from that. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { paths } from '../contract/paths.ts';
import { type SignInOutcome, signInChannel } from '../contract/sign-in.ts';
import { apiOrigin, retryPassing } from './api.ts';
import { ordersKey, sessionQuery, signOut } from './queries.ts';
import { randomId } from './random-id.ts';

/** What a tab tells the others. */
type SessionNews = 'signed in' | 'signed out';

const otherTabs = new BroadcastChannel('session');

const tellOtherTabs = (news: SessionNews) => otherTabs.postMessage(news);

/** Follows a sign-out in another tab, and asks again who is signed in after a sign-in. */
export const followOtherTabs = (queryClient: QueryClient): void => {
  otherTabs.addEventListener('message', ({ data: news }: MessageEvent<SessionNews>) => {
    if (news === 'signed out') forgetSession(queryClient);
    else void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
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
      tellOtherTabs('signed out');
    },
  });
};

/**
 * Starts a sign-in in the provider's popup. Its success shows as the session query's new data; its failure shows
 * nowhere but in the console (spec, section 2).
 */
export const useSignIn = (returnTo: string): ((click: Pick<MouseEvent, 'detail'>) => void) => {
  const queryClient = useQueryClient();
  // One for all popups that this screen opens: should there be two, either counts.
  const [attempt] = useState(randomId);
  const popup = useRef<Window>(null);
  const openedAt = useRef(0);

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;

    const askWhoIsSignedIn = async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      if (queryClient.getQueryData(sessionQuery.queryKey)) tellOtherTabs('signed in');
    };
    const hear = ({ data: outcome }: MessageEvent<SignInOutcome>) => {
      if (outcome.signedIn) return void askWhoIsSignedIn();
      console.warn('The sign-in did not succeed.');
    };
    // The popup's message can be lost, for instance when the browser put this page to sleep.
    const lookWhenVisible = () => {
      if (popup.current && document.visibilityState === 'visible') void askWhoIsSignedIn();
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

  return ({ detail: clicksInARow }) => {
    // One that reads as closed may only be cut off from here by its provider's headers. Then it is the click itself that
    // tells an impatient second one from another try.
    const isImpatient = clicksInARow > 1 || performance.now() - openedAt.current < justOpenedMs;
    if (popup.current && (!popup.current.closed || isImpatient)) return popup.current.focus();
    // Opened within the click: Safari blocks a popup that comes later.
    popup.current = window.open(signInAddress({ attempt, returnTo }), '_blank', 'popup,width=480,height=680');
    openedAt.current = performance.now();
    if (!popup.current) window.location.assign(signInAddress({ returnTo }));
  };
};

/** Sooner than this nobody has closed a popup and asked for another. */
const justOpenedMs = 150;

const signInAddress = (parameters: Record<string, string>): string =>
  `${new URL(paths.signIn, apiOrigin)}?${new URLSearchParams(parameters)}`;

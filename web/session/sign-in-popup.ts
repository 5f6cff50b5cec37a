import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { paths } from '../../contract/paths.ts';
import { type SignInOutcome, signInChannel } from '../../contract/sign-in.ts';
import { apiOrigin } from '../api/client.ts';
import { openChannel, openPopup, randomId } from '../memory/platform.ts';
import { sessionQuery, tellOtherTabs } from './session.ts';

/** The shortest time in which a person can close a popup and click again. */
const doubleClickMs = 150;

/**
 * Signs in through the provider's popup, or in this tab if the browser blocks the popup. Success appears as new data of the session query;
 * failure only in the console (spec, section 2). @param returnTo the path of the store to which a sign-in in this tab returns. @returns
 * `signIn`, a click handler, which opens the popup, or shows the open one; and `isAwaited`: a popup was opened and has no outcome. The
 * popup may be closed: the page cannot tell that from a popup that its provider's headers have cut off.
 */
export const useSignIn = (returnTo: string) => {
  const queryClient = useQueryClient();
  // All popups of this screen share one attempt: any of them may complete it.
  const [attempt] = useState(() => randomId());
  const popup = useRef<Window>(null);
  const openedAt = useRef(0);
  const [isAwaited, setIsAwaited] = useState(false);

  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;

    const refreshSession = async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      if (queryClient.getQueryData(sessionQuery.queryKey)) tellOtherTabs('signed in');
    };
    const onOutcome = (outcome: SignInOutcome) => {
      if (outcome.signedIn) return void refreshSession();
      setIsAwaited(false);
      console.warn('The sign-in did not succeed.');
    };
    // The popup's message can be lost, for instance when the browser suspended this page.
    const refreshWhenVisible = () => {
      if (popup.current && document.visibilityState === 'visible') void refreshSession();
    };

    const channel = openChannel(signInChannel(attempt), onOutcome);
    window.addEventListener('focus', refreshWhenVisible, { signal });
    document.addEventListener('visibilitychange', refreshWhenVisible, { signal });
    return () => {
      listeners.abort();
      channel.close();
    };
  }, [attempt, queryClient]);

  const signIn = ({ detail: clickCount }: Pick<MouseEvent, 'detail'>) => {
    // `closed` is also true for a popup that its provider's headers have cut off from this page. Then only the time
    // since it opened distinguishes a double click from a later one.
    const isDoubleClick = clickCount > 1 || performance.now() - openedAt.current < doubleClickMs;
    if (popup.current && (!popup.current.closed || isDoubleClick)) return popup.current.focus();
    // The popup opens within the click: Safari blocks a popup that opens later.
    popup.current = openPopup(signInAddress({ attempt, returnTo }), 'popup,width=480,height=680');
    openedAt.current = performance.now();
    setIsAwaited(popup.current !== null);
    if (!popup.current) window.location.assign(signInAddress({ returnTo }));
  };
  return { signIn, isAwaited };
};

const signInAddress = (parameters: Record<string, string>): string =>
  `${new URL(paths.signIn, apiOrigin)}?${new URLSearchParams(parameters)}`;

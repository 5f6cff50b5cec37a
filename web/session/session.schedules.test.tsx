import { QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query';
import { act } from 'react';
import { expect, vi } from 'vitest';
import { Router } from 'wouter';
import { onEverySchedule } from '../../server/testing/schedules.ts';
import { emptyElement, problemResponse, stubPage } from '../testing/stubbed-page.ts';

const fetchStub = stubPage();
let channel: EventTarget;
class Channel extends EventTarget {
  constructor() {
    super();
    channel = this;
  }
  postMessage() {}
}
vi.stubGlobal('BroadcastChannel', Channel);
const { createRoot } = await import('react-dom/client');
const { createQueryClient } = await import('../api/query-client.ts');
const { ordersQuery } = await import('../api/orders.ts');
const { clearSession, sessionQuery, syncWithOtherTabs, useSession, useSignOut } = await import(
  './session.ts'
);

const useHome = (): [string, () => void] => ['/', () => {}];
const emailOf = (session: number) => `${session}@example.org`;
/** The acts that the screen offers. */
let signOut: () => void;
let refetchOrders: () => void;

const Screen = () => {
  const email = useSession().data?.email;
  const { mutate } = useSignOut();
  signOut = () => mutate({ everywhere: false });
  refetchOrders = () => {};
  return email ? <Orders key={email} email={email} /> : null;
};
const Orders = ({ email }: { email: string }) => {
  const { refetch } = useInfiniteQuery(ordersQuery(email));
  refetchOrders = refetch;
  return null;
};

onEverySchedule(
  'a session that is known to have ended is not used again, the one that has begun is, and one refresh serves all',
  async ({ turn, happens, check, pick, play }) => {
    /** The number of the session in the browser's cookie; 0: none. */
    let current = 1;
    let lastSession = 1;
    const ended = new Set<number>();
    const knownToHaveEnded = new Set<number>();
    let refreshes: AbortSignal[] = [];
    const end = () => void ended.add(current);

    fetchStub.mockImplementation(async (address, { signal } = {}) => {
      const { pathname } = new URL(String(address));
      const cookie = current;
      const isRefresh = pathname === '/auth/session';
      if (isRefresh && signal) refreshes.push(signal);
      refreshes = refreshes.filter(({ aborted }) => !aborted);
      check(() => expect(refreshes.length).toBeLessThanOrEqual(1));
      const [, owner = 'none'] = /(\d+)@/.exec(decodeURIComponent(pathname)) ?? [];
      check(() => expect([...knownToHaveEnded]).not.toContain(Number(owner)));
      await turn(`${pathname} of session ${cookie} arrives`);
      const isValid = cookie > 0 && !ended.has(cookie);
      const isSignOut = pathname === '/auth/sign-out';
      if (isSignOut) ended.add(cookie);
      await turn(`the answer to ${pathname} of session ${cookie}`);
      if (signal?.aborted) throw signal.reason;
      if (isRefresh) refreshes = [];
      if (!isValid || isSignOut) knownToHaveEnded.add(cookie);
      // The response clears the cookie.
      if (isSignOut) current = 0;
      if (isSignOut) return new Response(null, { status: 204 });
      if (isRefresh)
        return Response.json(isValid ? { userName: '', email: emailOf(cookie), photo: '' } : null);
      return isValid ? Response.json([]) : problemResponse(401, 'SIGN_IN_REQUIRED');
    });

    const queryClient = createQueryClient(clearSession);
    syncWithOtherTabs(queryClient);
    const open = () =>
      createRoot(emptyElement()).render(
        <QueryClientProvider client={queryClient}>
          <Router hook={useHome}>
            <Screen />
            <Screen />
          </Router>
        </QueryClientProvider>,
      );
    happens('open', open);
    await play();

    /** Messages of a channel arrive in their order. */
    const messages: { text: string; session: number }[] = [];
    const tell = (text: string, session: number) => {
      messages.push({ text, session });
      happens(`the message “${text}”`, () => {
        const message = messages.shift();
        if (message?.text === 'signed out') knownToHaveEnded.add(message.session);
        channel.dispatchEvent(new MessageEvent('message', { data: message?.text }));
      });
    };
    const anotherTabSignsOut = () => {
      const session = current;
      if (!session) return;
      end();
      current = 0;
      tell('signed out', session);
    };
    const anotherTabSignsIn = () => {
      lastSession += 1;
      end();
      current = lastSession;
      tell('signed in', current);
    };
    const signsOut = () => signOut();
    const looksAtOrders = () => refetchOrders();
    const actions = [anotherTabSignsOut, anotherTabSignsIn, end, signsOut, looksAtOrders];
    for (let count = 0; count < 8; count += 1) {
      const action = pick(...(actions as [() => void]));
      happens(action.name, action);
    }
    await play();

    const shown = queryClient.getQueryData(sessionQuery.queryKey);
    if (current && !ended.has(current)) expect(shown?.email).toBe(emailOf(current));
    else if (shown) expect([...knownToHaveEnded].map(emailOf)).not.toContain(shown.email);
  },
  { act, foundBySeed: [143] },
);

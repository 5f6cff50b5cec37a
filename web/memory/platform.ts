/**
 * What a browser may lack, or refuse: an old one, one with cookies blocked, a page that came by plain HTTP or stands in a frame. All of
 * it is here, and in platform-later.ts, and nowhere else in the app: what is missing does nothing, and throws nothing.
 */

/** @returns undefined where the browser throws. */
export const attempt = <Value>(get: () => Value): Value | undefined => {
  try {
    return get();
  } catch {
    return undefined;
  }
};

/** @throws where cookies are blocked. tab-storage.ts stores in it, and keeps in memory what does not go in. */
export const tabStore = (): Storage => sessionStorage;

/** A channel between the store's tabs in this browser. */
export const openChannel = <Message>(name: string, onMessage: (message: Message) => void) => {
  const channel = attempt(() => new BroadcastChannel(name));
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => onMessage(data));
  return {
    post: (message: Message): void => attempt(() => channel?.postMessage(message)),
    close: (): void => channel?.close(),
  };
};

/** @returns 128 random bits in hexadecimal. `crypto.randomUUID` is missing where the page came by plain HTTP. */
export const randomId = (): string => {
  const bytes =
    attempt(() => crypto.getRandomValues(new Uint8Array(16))) ??
    // Ids need to differ, and are no secrets.
    Uint8Array.from({ length: 16 }, () => Math.random() * 256);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};

export const isOnline = (): boolean => attempt(() => navigator.onLine) ?? true;

/** Browsers refuse many changes in a short time. */
export const setEntryState = (state: object): void => attempt(() => history.replaceState(state, ''));

/** Makes an entry of the history. Where the browser refuses it, the page of the address is loaded. */
export const openEntry = (make: () => void, address: string): void => {
  try {
    make();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    location.assign(address);
  }
};

/** The places of entries are restored by the app: see list/places.ts. */
export const keepScroll = (): void => void attempt(() => (history.scrollRestoration = 'manual'));

/** @returns whether the browser shows the page because the visitor went back or forward to it. */
export const isOpenedByBack = (): boolean =>
  attempt(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    return navigation instanceof PerformanceNavigationTiming && navigation.type === 'back_forward';
  }) ?? false;

/** Opens a popup. @returns null where it is blocked. */
export const openPopup = (address: string, features: string): Window | null =>
  attempt(() => open(address, '_blank', features)) ?? null;

/** Aborts after a time, and with another signal; with that alone in Safari before 17.4. */
export const abortAfter = (ms: number, other?: AbortSignal): AbortSignal | null =>
  attempt(() => {
    const timeout = AbortSignal.timeout(ms);
    return other ? AbortSignal.any([other, timeout]) : timeout;
  }) ??
  other ??
  null;

/**
 * Calls back when the element comes within the margin around the viewport (as CSS has it), and when it leaves it; at once in a browser
 * that cannot tell. A viewport that has no height, as for a moment in pictures of a whole page, does not count. @returns what ends it.
 */
export const observeNear = (
  element: Element,
  margin: string,
  onChange: (isNear: boolean, heightPx: number) => void,
): (() => void) => {
  const observer = attempt(
    () =>
      new IntersectionObserver(
        // A busy browser reports several changes at once, of which the last one holds.
        (entries) => {
          const last = entries.findLast(({ rootBounds }) => rootBounds?.height !== 0);
          if (last) onChange(last.isIntersecting, last.boundingClientRect.height);
        },
        { rootMargin: margin },
      ),
  );
  observer?.observe(element);
  if (!observer) onChange(true, 0);
  return () => observer?.disconnect();
};

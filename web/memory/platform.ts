/**
 * All that a browser may lack or refuse: an old browser, one that blocks cookies, a page over plain HTTP or in a frame. The rest of the app
 * uses such features only through this file and platform-later.ts. A missing feature does nothing, and throws nothing.
 */

/** @returns undefined if the browser throws. */
export const attempt = <Value>(get: () => Value): Value | undefined => {
  try {
    return get();
  } catch {
    return undefined;
  }
};

/** @throws if cookies are blocked. tab-storage.ts keeps in memory what it cannot store. */
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

/** @returns 128 random bits in hexadecimal. `crypto.randomUUID` is missing on pages over plain HTTP. */
export const randomId = (): string => {
  const bytes =
    attempt(() => crypto.getRandomValues(new Uint8Array(16))) ??
    // Ids must differ, but need not be secret.
    Uint8Array.from({ length: 16 }, () => Math.random() * 256);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** Safari has no idle callbacks. */
export const whenIdle = (run: () => void): void =>
  void (attempt(() => requestIdleCallback(run)) ?? setTimeout(run, 3_000));

/** Runs this after the browser has shown what is rendered now. */
export const afterPaint = (run: () => void): void => void requestAnimationFrame(() => setTimeout(run));

/** Sends JSON, also while the page is being left. */
export const sendOnLeaving = (address: string, body: object): void => {
  const json = new Blob([JSON.stringify(body)], { type: 'application/json' });
  attempt(() => navigator.sendBeacon(address, json));
};

export const isOnline = (): boolean => attempt(() => navigator.onLine) ?? true;

/** Browsers refuse many changes in a short time. */
export const setEntryState = (state: object): void => attempt(() => history.replaceState(state, ''));

/** Adds an entry to the history. If the browser refuses it, the page at the address is loaded. */
export const openEntry = (make: () => void, address: string): void => {
  try {
    make();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    location.assign(address);
  }
};

/** The browser does not restore scroll positions, because list/places.ts does. */
export const keepScroll = (): void => void attempt(() => (history.scrollRestoration = 'manual'));

/** @returns whether the browser shows the page because the visitor went back or forward to it. */
export const isOpenedByBack = (): boolean =>
  attempt(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    return navigation instanceof PerformanceNavigationTiming && navigation.type === 'back_forward';
  }) ?? false;

/** Opens a popup. @returns null if the browser blocks it. */
export const openPopup = (address: string, features: string): Window | null =>
  attempt(() => open(address, '_blank', features)) ?? null;

/** A signal that aborts after a time, or with another signal; in Safari before 17.4 only with the other signal. */
export const abortAfter = (ms: number, other?: AbortSignal): AbortSignal | null =>
  attempt(() => {
    const timeout = AbortSignal.timeout(ms);
    return other ? AbortSignal.any([other, timeout]) : timeout;
  }) ??
  other ??
  null;

/**
 * Calls back when the element enters the margin around the viewport (in CSS syntax), and when it leaves; at once in a browser that cannot
 * tell. A viewport without height, as for a moment in screenshots of a whole page, is ignored. @returns a function that stops the calls.
 */
export const observeNear = (
  element: Element,
  margin: string,
  onChange: (isNear: boolean, heightPx: number) => void,
): (() => void) => {
  const observer = attempt(
    () =>
      new IntersectionObserver(
        // A busy browser reports several changes at once; the last one is current.
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

import { flushSync } from 'react-dom';
import type { AroundNavHandler } from 'wouter';

/** A screen that takes longer to show the cover appears without it. */
const longestWaitMs = 300;

/** The attribute of the element where a cover arrives. */
const destination = '[data-cover-arrives]';

let isUnderWay = false;

/**
 * Makes the cover of a card travel to the screen that its link leads to, by a View Transition. Links with `transition` ask for it.
 * Where browsers cannot, or visitors prefer less motion, the screen is shown at once.
 * @param next the handler that navigates.
 */
export const withTravellingCover =
  (next: AroundNavHandler): AroundNavHandler =>
  (navigate, to, options) => {
    const cover =
      options?.transition &&
      document.activeElement?.closest('article')?.querySelector<HTMLElement>('[data-cover]');
    if (!cover || !('startViewTransition' in document) || prefersLessMotion())
      return next(navigate, to, options);
    // Until the transition begins, the card is still there for a second click.
    if (isUnderWay) return;
    isUnderWay = true;
    cover.style.viewTransitionName = 'cover';
    const transition = document.startViewTransition(async () => {
      isUnderWay = false;
      cover.style.viewTransitionName = '';
      flushSync(() => next(navigate, to, options));
      await arrival();
    });
    // Rejected when the browser skips the animation. The screen is shown in any case.
    transition.ready.catch(() => undefined);
  };

const prefersLessMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Waits until the cover is on the page, or too long. The browser shows the screen before until then. */
const arrival = (): Promise<void> =>
  new Promise((resolve) => {
    const observer = new MutationObserver(() => document.querySelector(destination) && stop());
    const timer = setTimeout(() => stop(), longestWaitMs);
    const stop = () => {
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    };
    if (document.querySelector(destination)) return stop();
    observer.observe(document.body, { childList: true, subtree: true });
  });

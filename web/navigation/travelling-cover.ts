import { flushSync } from 'react-dom';
import type { AroundNavHandler } from 'wouter';
import { afterPaint } from '../components/after-paint.ts';
import { matchesMedia, startTransition } from '../memory/platform.ts';

/** A screen that takes longer to show the cover appears without it. */
const longestWaitMs = 300;

/** The attribute of the element where a cover arrives. */
const destination = '[data-cover-arrives]';

let isUnderWay = false;

/**
 * Links with `transition` show the press before the next screen, which a slow phone takes long to lay out; and the cover of their card
 * travels there, by a View Transition. Where browsers cannot, where visitors prefer less motion, and before the code of the screen is
 * there, it appears at once.
 * @param next the handler that navigates.
 * @param isLoaded whether the code of the screen with an address is there.
 */
export const withTravellingCover =
  (next: AroundNavHandler, isLoaded: (to: string) => boolean): AroundNavHandler =>
  (navigate, to, options) => {
    if (!options?.transition) return next(navigate, to, options);
    // Until the screen changes, the card is still there for a second click.
    if (isUnderWay) return;
    isUnderWay = true;
    const leave = () => {
      isUnderWay = false;
      next(navigate, to, options);
    };
    afterPaint(() => {
      const cover = document.activeElement?.closest('article')?.querySelector<HTMLElement>('[data-cover]');
      if (!cover || !isLoaded(to) || matchesMedia('(prefers-reduced-motion: reduce)')) return leave();
      cover.style.viewTransitionName = 'cover';
      const transition = startTransition(async () => {
        cover.style.viewTransitionName = '';
        flushSync(leave);
        await arrival();
      });
      if (!transition) return leave();
      // Rejected when the browser skips the animation. The screen is shown in any case.
      transition.ready.catch(() => undefined);
    });
  };

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

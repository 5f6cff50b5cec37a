import { flushSync } from 'react-dom';
import type { AroundNavHandler } from 'wouter';
import { matchesMedia, startTransition } from '../memory/platform.ts';

/**
 * With a link that has `transition` the cover of its card travels to the next screen, by a View Transition. Where browsers cannot, and
 * where visitors prefer less motion, the screen appears at once.
 */
export const withTravellingCover =
  (next: AroundNavHandler): AroundNavHandler =>
  (navigate, to, options) => {
    const go = () => next(navigate, to, options);
    const card = options?.transition ? document.activeElement?.closest('article') : null;
    const cover = card?.querySelector<HTMLElement>('[data-cover]');
    if (!cover || matchesMedia('(prefers-reduced-motion: reduce)')) return go();
    cover.style.viewTransitionName = 'cover';
    const transition = startTransition(async () => {
      cover.style.viewTransitionName = '';
      flushSync(go);
    });
    if (!transition) return go();
    // Rejected when the browser skips the animation. The screen is shown in any case.
    transition.ready.catch(() => undefined);
  };

/**
 * Watches the pages of a test: no page may move by itself, or scroll sideways. A page reports this as an error in its console, which fails
 * the test.
 */

import type { BrowserContext, Page } from '@playwright/test';

/**
 * The sum of a page's layout shifts before its first input, as browsers score them, stays below 0.01. What moves after an input may be
 * the answer to it, however late it comes.
 */
const watch = (storeOrigin: string) => `(() => {
  if (window !== top || origin !== '${storeOrigin}') return;
  // These are the browser's own functions: a test may replace the clock.
  const { performance, requestAnimationFrame, setTimeout } = window;
  const nameOf = (node) => {
    const element = node instanceof Element ? node : node?.parentElement;
    if (!element) return 'an element that is gone';
    return [element.localName, ...element.classList].join('.') + ' “' + element.textContent.trim().slice(0, 60) + '”';
  };
  const tell = (fault, ...nodes) =>
    console.error(location.pathname + location.search + fault + ': ' + nodes.map(nameOf).join('; '));

  let [firstInput, shift] = [Infinity, 0];
  const onInput = () => { firstInput = Math.min(firstInput, performance.now()); };
  for (const type of ['pointerdown', 'keydown', 'input', 'change', 'popstate']) addEventListener(type, onInput, true);
  const paper = matchMedia('print');
  paper.addEventListener('change', onInput);
  const addShifts = (entries) => {
    if (paper.matches) firstInput = 0;
    for (const { value, startTime, hadRecentInput, sources } of entries) {
      if (hadRecentInput || startTime > firstInput || shift >= 0.01) continue;
      // Replacing one element by another is no move, for example the books of the last test.
      if (sources.some(({ node, currentRect }) => !node || currentRect.width === 0)) continue;
      shift += value;
      if (shift >= 0.01) tell(' moved by ' + shift.toFixed(3) + ' before any input', ...sources.map(({ node }) => node));
    }
  };
  const shifts = new PerformanceObserver((list) => addShifts(list.getEntries()));
  shifts.observe({ type: 'layout-shift', buffered: true });

  let [isWide, isDue] = [false, false];
  const isClipped = ({ parentElement: parent }) => parent !== null && parent !== document.documentElement &&
    (getComputedStyle(parent).overflowX !== 'visible' || isClipped(parent));
  const measure = () => {
    isDue = false;
    const { scrollWidth, clientWidth } = document.documentElement;
    if (isWide || scrollWidth <= clientWidth) return;
    isWide = true;
    tell(' scrolls sideways, ' + scrollWidth + ' in ' + clientWidth + ' pixels', [...document.querySelectorAll('body *')]
      .findLast((element) => element.getBoundingClientRect().right > clientWidth && !isClipped(element)));
  };
  const measureSoon = () => {
    if (!isDue) requestAnimationFrame(measure);
    isDue = true;
  };
  new MutationObserver(measureSoon).observe(document, { attributes: true, childList: true, subtree: true });
  addEventListener('resize', measureSoon);

  const look = () => {
    addShifts(shifts.takeRecords());
    measure();
  };
  addEventListener('pagehide', look);
  const shown = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  window.layoutWatch = {
    look: () => shown().then(look),
    again: () => shown().then(look).then(() => { firstInput = Infinity; }),
  };
})()`;

/** Call this before the context has a page. Pages of the sign-in provider are not watched: they move as their window gets its size. */
export const watchLayout = (context: BrowserContext, storeOrigin: string) =>
  context.addInitScript(watch(storeOrigin));

/** Moves count again from now on, up to the next input. */
export const watchAgain = (page: Page): Promise<void> => page.evaluate('layoutWatch.again()');

/** Makes the pages report what they have not reported yet. */
export async function endWatch(context: BrowserContext): Promise<void> {
  // A page that closes or navigates has already reported.
  const look = (page: Page) => page.evaluate('window.layoutWatch?.look()').catch(() => undefined);
  await Promise.all(context.pages().map(look));
}

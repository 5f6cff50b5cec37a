import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** In place of axe's source, for a page that has it. */
const nothing = ';';

const violationsOf = async (page: Page, hasAxe: boolean) => {
  const { violations } = await new AxeBuilder({ page, ...(hasAxe && { axeSource: nothing }) })
    // Without legacy mode, axe opens a tab for each analysis to collect the results of frames. No page has frames.
    .setLegacyMode()
    // The same rules run; their passes would take four times as long to describe.
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target.join(' ')) }));
};

/** Those that have begun before motion was reduced. */
const endOfTransitions = `Promise.allSettled(
  document.getAnimations().filter((animation) => animation instanceof CSSTransition).map(({ finished }) => finished),
)`;

/** Expects no violation that axe finds, and no horizontal scrolling, at each width, in light and in dark mode. */
export async function expectAccessible(page: Page): Promise<void> {
  // In the middle of a transition a colour is neither the old one nor the new one.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(endOfTransitions);
  let hasAxe = false;
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 640 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page, hasAxe), `${width} pixels, ${colorScheme}`).toEqual([]);
      hasAxe = true;
    }
  }
}

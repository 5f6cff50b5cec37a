import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** In place of axe's source, for a page that has it. */
const nothing = ';';

const guidelines = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules of these guidelines that look at colours: nothing else differs between light and dark mode. */
const colourRules = ['color-contrast', 'link-in-text-block'];

async function violationsOf(page: Page, only: string[], hasAxe: boolean) {
  const { violations } = await new AxeBuilder({ page, ...(hasAxe && { axeSource: nothing }) })
    // Without legacy mode, axe opens a tab for each analysis to collect the results of frames. No page has frames.
    .setLegacyMode()
    // The same rules run; their passes would take four times as long to describe.
    .options({ resultTypes: ['violations'], runOnly: only })
    .analyze();
  return violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target.join(' ')) }));
}

/** Those that have begun before motion was reduced. */
const endOfTransitions = `Promise.allSettled(
  document.getAnimations().filter((animation) => animation instanceof CSSTransition).map(({ finished }) => finished),
)`;

/**
 * Expects no violation that axe finds, in light and in dark mode, on wide and narrow screens, and no horizontal scrolling.
 * The page has its size again after that.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const size = page.viewportSize();
  // In the middle of a transition a colour is neither the old one nor the new one.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(endOfTransitions);
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 640 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    // Between the two nothing but widths differs.
    if (width === 390) continue;
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await violationsOf(page, guidelines, width < 1280), `${width} pixels, light`).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violationsOf(page, colourRules, true), `${width} pixels, dark`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (size) await page.setViewportSize(size);
}

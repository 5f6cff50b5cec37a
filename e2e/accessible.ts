import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const guidelines = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules of these guidelines that look at colours: nothing else differs between light and dark mode. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** The page must have axe, see {@link expectAccessible}. */
async function violationsOf(page: Page, runOnly: string[]) {
  // The same rules run for violations alone; their passes would take four times as long to describe.
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly });
  // After a frame: what a new width makes a screen show is there.
  return await page.evaluate<{ id: string; targets: string[] }[]>(
    `new Promise(requestAnimationFrame).then(() => axe.run(${options})).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target.join(' ')) })))`,
  );
}

/**
 * Expects no violation that axe finds in the state that the page shows, in light and in dark mode, on wide and narrow screens. The page
 * goes on from it as it was. Motion is reduced: in the middle of a transition a colour is neither the old one nor the new one.
 */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  await page.evaluate(`if (!window.axe) { ${axe} }\nundefined`);
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 640 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    expect(await violationsOf(page, guidelines), `${state}: ${width} pixels, light`).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violationsOf(page, colourRules), `${state}: ${width} pixels, dark`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize(before);
}

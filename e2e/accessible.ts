import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const guidelines = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules of these guidelines that look at colours: nothing else differs between light and dark mode. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** The page must have axe installed, see {@link expectAccessible}. */
async function violationsOf(page: Page, runOnly: string[]) {
  // A run for violations only is four times as fast, because passes are not described.
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly });
  // The check waits for a frame, so that the screen has adapted to its new width.
  return await page.evaluate<{ id: string; targets: string[] }[]>(
    `new Promise(requestAnimationFrame).then(() => axe.run(${options})).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target.join(' ')) })))`,
  );
}

/**
 * Expects that axe finds no violation in the page's state, in light and dark mode, on wide and narrow screens. The page then continues as
 * it was. Motion is reduced, because a transition shows colours that are neither old nor new.
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

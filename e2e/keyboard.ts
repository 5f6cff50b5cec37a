/** Going through a page without a pointer. */
import type { Locator } from '@playwright/test';
import { expect } from './fixtures.ts';

/** More than any page of the tests has between two things of one task. */
const maxPresses = 40;

/** Waits for an element, and presses Tab until it has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const page = target.page();
  const focused = target.and(page.locator(':focus'));
  for (let presses = 0; presses < maxPresses && (await focused.count()) === 0; presses += 1) {
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

/** Signing in at the demo provider. */

import type { Cookie, Page } from '@playwright/test';

export const ada = { name: 'Ada Marlowe', email: 'ada@example.com' };
export const jun = { name: 'Jun Nakagawa', email: 'jun@example.com' };
export type Person = typeof ada;

export const continueButton = (page: Page) => page.getByRole('button', { name: /^Continue with / });

/** Presses the button of the login screen. @returns the provider's popup. */
export async function openPopup(page: Page): Promise<Page> {
  const opening = page.waitForEvent('popup');
  await continueButton(page).click();
  return await opening;
}

/** Signs in through the popup, from the login screen. Resolves when the popup has closed itself. */
export async function signIn(page: Page, { name }: Person = ada): Promise<void> {
  const popup = await openPopup(page);
  const closing = popup.waitForEvent('close');
  await popup.getByRole('button', { name }).click();
  await closing;
}

/** Signs in fully; for tests of sign-ins and sign-outs. Resolves when the page shows the address. */
export async function signInAndOpen(page: Page, address: string, person: Person = ada): Promise<void> {
  await page.goto(address);
  await signIn(page, person);
  await page.waitForURL(address);
}

/** Stored sessions by e-mail; a worker has only one store. */
const cookiesOf = new Map<string, Cookie[]>();

/** Opens an address as a person who signs in once per worker. Only for tests that end no session. */
export async function openSignedIn(page: Page, address: string, person: Person = ada): Promise<void> {
  const cookies = cookiesOf.get(person.email);
  if (!cookies) {
    await signInAndOpen(page, address, person);
    cookiesOf.set(person.email, await page.context().cookies());
    return;
  }
  await page.context().addCookies(cookies);
  await page.goto(address);
}

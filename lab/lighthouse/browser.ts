/** Chromium, and what a customer does in it. */

import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { findChromium, howToInstall } from '../../e2e/browsers/chromium.ts';
import { ada } from '../../e2e/sign-in.ts';

/** @throws when no Chromium is installed. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error(howToInstall);
  // Chromium's sandbox does not run as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return await puppeteer.launch({ executablePath, args: ['--disable-background-networking', ...sandbox] });
}

/** Signs in through the demo provider's popup. Resolves when the page shows the customer's orders. */
export async function signIn(page: Page, origin: string): Promise<void> {
  // A page behind another one is shown no frames, for which puppeteer waits.
  await page.bringToFront();
  await page.goto(`${origin}/orders`);
  const opening = new Promise<Page | null>((resolve) => page.once('popup', resolve));
  await page.locator('main button').click();
  const popup = await opening;
  if (!popup) throw new Error('no popup was opened');
  const closing = new Promise((resolve) => popup.once('close', resolve));
  await popup.locator(`::-p-text(${ada.email})`).click();
  await closing;
  // The store's Content-Security-Policy forbids puppeteer's waitForFunction.
  await page.waitForSelector(`::-p-text(${ada.email})`);
}

export type Purchase = {
  /** From the press of BUY NOW to the frame in which the checkout shows the book. */
  checkoutMs: number;
  /** From the press of Checkout to the frame in which the orders show it. */
  ordersMs: number;
};

/** In the page: presses the first element that `selector` finds, and waits for a frame in which `isShown` is true. */
const pressAndWait = (selector: string, isShown: string) => `new Promise((resolve) => {
  const begunAt = performance.now();
  document.querySelector(${JSON.stringify(selector)}).click();
  const look = () => (${isShown}) ? resolve(performance.now() - begunAt) : requestAnimationFrame(look);
  requestAnimationFrame(look);
})`;

/** In the page: waits until nothing has arrived for half a second. Puppeteer's own wait counts requests, and sometimes never hears that one has ended. */
const becomeQuiet = `new Promise((resolve) => {
  let arrived = -1;
  const look = () => {
    const before = arrived;
    arrived = performance.getEntriesByType('resource').length;
    if (arrived === before) resolve(); else setTimeout(look, 500);
  };
  look();
})`;

/** Buys the first book of the shelf, on a page that is signed in and has been used before. */
export async function purchase(page: Page, origin: string): Promise<Purchase> {
  await page.bringToFront();
  await page.goto(origin);
  const buyNow = 'article a[id^="buy-"]';
  await page.waitForSelector(buyNow);
  await page.evaluate(becomeQuiet);
  // A visitor's pointer is on the button before the press.
  await page.hover(buyNow);
  await page.evaluate(becomeQuiet);
  const checkoutButton = 'main button[class*="primary"]';
  const checkoutMs = Number(
    await page.evaluate(
      pressAndWait(
        buyNow,
        `location.pathname.startsWith("/checkout/") && document.querySelector(${JSON.stringify(checkoutButton)})`,
      ),
    ),
  );
  const ordersMs = Number(
    await page.evaluate(
      pressAndWait(checkoutButton, 'location.pathname === "/orders" && document.querySelector("tbody tr")'),
    ),
  );
  return { checkoutMs, ordersMs };
}

/**
 * Firefox, driven by puppeteer with WebDriver BiDi: Playwright drives only a Firefox that it has built itself. Puppeteer's own
 * locators and waits run code from text in the page, which the store's Content-Security-Policy forbids.
 */

import puppeteer, { type Page } from 'puppeteer-core';
import { findProgram, isExecutable } from '../../server/testing/programs.ts';

export const howToInstallFirefox =
  'No Firefox was found. Install it (on Debian: `apt-get install firefox-esr`), or set FIREFOX_PATH to one.';

/** @returns the browser's file; undefined where there is none, or where `FIREFOX_PATH` is not executable. */
export function findFirefox(): string | undefined {
  const chosen = process.env['FIREFOX_PATH'];
  if (chosen) return isExecutable(chosen) ? chosen : undefined;
  return findProgram('firefox-esr') ?? findProgram('firefox');
}

/** A browser with one window, driven by a test. A missing element is an error, after which the test tries again. */
export type OtherBrowser = {
  open(address: string): Promise<unknown>;
  /** @param expression in JavaScript. @returns its value on the page. */
  evaluate(expression: string): Promise<unknown>;
  click(selector: string): Promise<unknown>;
  /** A line break presses Enter. */
  type(selector: string, text: string): Promise<unknown>;
  /** Picks a file for the page's only file field. */
  chooseFile(file: string): Promise<unknown>;
  /** Closes an alert. @returns the alert's message. */
  acceptAlert(): Promise<unknown>;
  /** Makes all further calls refer to the popup. */
  enterPopup(): Promise<unknown>;
  /** Fails until the popup has closed itself. */
  leavePopup(): Promise<unknown>;
  /** @returns the errors in the window's console, if the browser reports them. */
  errors(): string[];
  close(): Promise<unknown>;
};

export async function openFirefox(executablePath: string): Promise<OtherBrowser> {
  const firefox = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    // Sets the size of the window: this Firefox has no command for the viewport.
    defaultViewport: null,
    args: ['--width=1280', '--height=800'],
  });
  const [window = await firefox.newPage()] = await firefox.pages();
  const errors: string[] = [];
  const alerts: string[] = [];
  window.on('pageerror', (error) => errors.push(String(error)));
  window.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  window.on('dialog', (dialog) => {
    alerts.push(dialog.message());
    void dialog.accept();
  });
  let page: Page = window;
  const find = async (selector: string) => {
    const found = await page.$(selector);
    if (!found) throw new Error(`there is no ${selector}`);
    return found;
  };

  return {
    open: (address) => page.goto(address),
    evaluate: (expression) => page.evaluate(expression),
    click: async (selector) => (await find(selector)).click(),
    type: async (selector, text) => (await find(selector)).type(text),
    chooseFile: async (file) => (await page.$('input[type=file]'))?.uploadFile(file),
    acceptAlert: async () => {
      const [message] = alerts;
      if (message === undefined) throw new Error('there is no alert');
      return message;
    },
    enterPopup: async () => {
      const popup = (await firefox.pages()).find((one) => one !== window);
      if (!popup) throw new Error('there is no popup');
      page = popup;
    },
    leavePopup: async () => {
      if ((await firefox.pages()).length > 1) throw new Error('the popup is still open');
      page = window;
    },
    errors: () => errors,
    close: () => firefox.close(),
  };
}

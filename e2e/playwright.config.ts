import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findChromium, howToInstall } from './browsers/chromium.ts';

// The compile cache halves the start time of the tests' stores.
process.env['NODE_COMPILE_CACHE'] ??= join(
  import.meta.dirname,
  '..',
  'node_modules',
  '.cache',
  'colophon-tests',
);

const executablePath = findChromium();
// Listing the tests needs no browser.
if (!executablePath && !process.argv.includes('--list')) throw new Error(howToInstall);

/** These tests run after the others, in their own workers, because their stores have other settings or books. */
const ownStores = /\/(first-start|no-demo|transfer|ways|without-delivery)\.spec\.ts$/;
/** These tests run only in `npm run test:full`: how screens look and what they weigh, and two more browsers. */
const looks = /(looks|other-browsers)\.spec\.ts$/;

const disabledFeatures = [
  // These are pages of the browser in each window, which take half of the time to open one.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  // The list also has the features that Playwright disables, because this option replaces Playwright's.
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
].join();

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  projects: [
    { name: 'gate', testIgnore: [ownStores, looks] },
    { name: 'gate-own-stores', testMatch: ownStores },
    { name: 'looks', testMatch: looks },
  ],
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    // The trace has no screenshots, which would double the render time here.
    trace: { mode: 'on-first-retry', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      // Without a graphics card, software rendering is faster than an emulated GPU.
      args: ['--disable-background-networking', '--disable-gpu', `--disable-features=${disabledFeatures}`],
      // Chromium's sandbox does not run as root.
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
});

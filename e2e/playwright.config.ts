import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findChromium, howToInstall } from './browsers/chromium.ts';

// The stores of the tests start in half the time.
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

/** Their stores have other settings, or other books, so they need workers of their own: after the others, which share theirs. */
const ownStores = /\/(first-start|no-demo|without-delivery)\.spec\.ts$/;
/** They run in `npm run test:full` alone: how screens look and what they weigh, and two more browsers. */
const looks = /(looks|other-browsers)\.spec\.ts$/;

const disabledFeatures = [
  // Two pages of the browser's own in each window, which take half the time of opening it.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  // Those that Playwright disables: this option replaces its own.
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
    // Without the trace's screenshots: they double the time in which a page renders here.
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

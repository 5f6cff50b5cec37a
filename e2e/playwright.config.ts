import { defineConfig } from '@playwright/test';
import { findChromium, howToInstall } from '../tools/test/chromium.ts';

const executablePath = findChromium();
// Listing the tests needs no browser.
if (!executablePath && !process.argv.includes('--list')) throw new Error(howToInstall);

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    // Without the film: taking it doubles the time that a page needs to draw itself here.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      // Where there is no graphics card, drawing without one is faster than imitating one.
      args: ['--disable-background-networking', '--disable-gpu'],
      // Chromium refuses its sandbox to root, and to nobody else.
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
});

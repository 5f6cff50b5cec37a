import { screens } from '../../contract/paths.ts';

/** Colours of `web/styles/tokens.css`: `--paper`, `--primary`. */
const colours = { paper: '#faf9f6', primary: '#7a1f2b' } as const;

/** @returns the web app manifest: what a store that is put on a home screen is called, and looks like. */
export const manifestOf = (storeName: string) => ({
  name: storeName,
  short_name: storeName,
  lang: 'en',
  start_url: screens.home,
  scope: '/',
  // In a separate window some systems would open the popup of a sign-in in another browser, which has other cookies.
  display: 'browser' as const,
  background_color: colours.paper,
  theme_color: colours.primary,
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' as const },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' as const },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' as const },
  ],
});

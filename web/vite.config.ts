// biome-ignore lint/style/noRestrictedImports: the build runs in Node.
import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

/**
 * What nearly every screen needs is one file. In many small ones it has 3 KB more when compressed, and a phone waits for each of
 * them. The home screen loads it, so it has nothing that the desk or the login alone need.
 */
const sharedCode = {
  name: 'shared',
  test: /[\\/](?:node_modules|contract|web[\\/](?:api|components|list|memory|navigation|search|session|styles))[\\/](?!address-|cover-row[\\/]cover-controls|delivery-|book-(?:fields|image)|upload-image|desk[-\\/]|email|front-limits|inline-form|lines-|money|order-note|responsive-table|return-to|instead|suggestion-list|shop-days|sign-in|uuid|withdraw)/,
};

const pageOf = (name: string) => `${import.meta.dirname}/${name}.html`;

/** The page of the desk is that of the shop, with its own title and script. */
const deskPage = {
  name: 'desk-page',
  resolveId: (id: string) => (id.endsWith('desk.html') ? pageOf('desk') : undefined),
  load: (id: string) =>
    id === pageOf('desk')
      ? readFileSync(pageOf('index'), 'utf8')
          .replace(/(?<=<title>)[^<]+/, 'Desk')
          .replace('main.tsx', 'desk.tsx')
      : undefined,
};

export default defineConfig({
  publicDir: 'public',
  plugins: [deskPage, react(), compression({ algorithms: ['gzip', 'brotliCompress'], threshold: 512 })],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // Safari before version 17 ignores the preloads, and loads the same files a little later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'web/index.html', desk: 'web/desk.html' },
      output: { codeSplitting: { groups: [sharedCode] } },
    },
  },
});

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

/**
 * What nearly every screen needs is one file. In many small ones it has 3 KB more when compressed, and a phone waits for each of
 * them. The home screen loads it, so it has nothing that the desk or the login alone need.
 */
const sharedCode = {
  name: 'shared',
  test: /[\\/](?:node_modules|contract|web[\\/](?:api|components|memory|navigation|session|styles))[\\/](?!book-image|desk-|money|return-to)/,
};

export default defineConfig({
  publicDir: 'public',
  plugins: [react(), compression({ algorithms: ['gzip', 'brotliCompress'], threshold: 512 })],
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

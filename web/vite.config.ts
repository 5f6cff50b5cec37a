import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

export default defineConfig({
  publicDir: 'public',
  plugins: [react(), compression({ algorithms: ['gzip', 'brotliCompress'], threshold: 512 })],
  build: { outDir: '../dist', emptyOutDir: true, manifest: true, target: 'es2022' },
});

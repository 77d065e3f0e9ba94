import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { messages } from './build/messages.ts';
import { sizes } from './build/sizes.ts';
import { worker } from './build/worker.ts';

const api = process.env.API_URL ?? 'http://127.0.0.1:8080';

/** Modules that are loaded on the way from sign-in to the dashboard. */
const FIRST = [
  'src/modules/identity/login.tsx',
  'src/modules/dashboard/dashboard.tsx',
  'src/app/shell/shell.tsx',
  'src/platform/echo.ts',
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    messages(fileURLToPath(new URL('../../packages/contract/messages', import.meta.url))),
    sizes(FIRST),
    worker(FIRST),
  ],
  build: {
    target: 'es2023',
    sourcemap: false,
    // Inline scripts are not allowed: the content security policy accepts scripts only from files.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Parts that every screen needs, and which would be a file of some 200 bytes each.
        codeSplitting: { groups: [{ name: 'basis', test: /@mantine\/core\/esm\/core\// }] },
      },
    },
  },
  server: {
    proxy: {
      '/api': api,
      '/oauth': api,
      '/broadcasting': api,
      '/v1': api,
      '/problems': api,
      '/app/': { target: api, ws: true },
    },
  },
});

// biome-ignore lint/style/noRestrictedImports: the build runs in Node.
import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Manifest, type Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { rendererFile } from '../contract/rendered-page.ts';

type Modules = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null };

/** The modules that the shop's first script imports, directly or through others. */
const modulesOfHome = new Set<string>();
const findModulesOfHome = (modules: Modules) => {
  modulesOfHome.add(`${import.meta.dirname}/main.tsx`);
  for (const id of modulesOfHome)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) modulesOfHome.add(imported);
};

/** Chunks of the script, in the order in which they take modules. Each chunk costs a phone another request. */
const groups = [
  {
    // Modules that home and nearly every screen need. Code that only home needs stays in the page's own file. The last names in `test`
    // are modules that home imports only through the index of TanStack Query.
    name: (id: string, modules: Modules) => {
      if (modulesOfHome.size === 0) findModulesOfHome(modules);
      return modulesOfHome.has(id) ? 'shared' : null;
    },
    test: /^(?!.*(?:[\\/]web[\\/](?:main|app|screens).*tsx|useQueries|queriesObserver))/,
  },
  // Modules that several other screens, or views of the desk, need.
  { name: 'screens', minShareCount: 2 },
];

const pageOf = (name: string) => `${import.meta.dirname}/${name}.html`;

const resolve = {
  alias: {
    // React itself has this function; the package is for older versions of React.
    'use-sync-external-store/shim/index.js': 'react',
    regexparam: `${import.meta.dirname}/navigation/route-parser.ts`,
  },
};

/** See components/jsx-runtime.ts. */
const jsx = { jsxImportSource: '#text' };

/** The page of the desk is the shop's page with another script. A screen is painted, so it needs the style sheets and the covers first. */
const pages = {
  name: 'pages',
  resolveId: (id: string) => (id.endsWith('desk.html') ? pageOf('desk') : undefined),
  load: (id: string) =>
    id === pageOf('desk') ? readFileSync(pageOf('index'), 'utf8').replace('main.tsx', 'desk.tsx') : undefined,
  transformIndexHtml: {
    order: 'post' as const,
    handler: (html: string) =>
      html.replace(/<(?:script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"'),
  },
};

/** @returns the files of each screen's chunk, without those of the first script, by the screen's folder. */
const chunkFilesIn = (manifest: Manifest) => {
  const withImports = (key: string): string[] => [
    key,
    ...(manifest[key]?.imports ?? []).flatMap((imported) => withImports(imported)),
  ];
  const loadedFirst = new Set(withImports('index.html'));
  const filesOf = (key: string) => {
    const parts = [...new Set(withImports(key))].filter((part) => !loadedFirst.has(part));
    const entries = parts.flatMap((part) => manifest[part] ?? []);
    return { scripts: entries.map(({ file }) => file), styles: entries.flatMap(({ css = [] }) => css) };
  };
  return Object.fromEntries(
    Object.keys(manifest).flatMap((key) => {
      const [, folder] = /^screens\/([^/]+)\/\1\.tsx$/.exec(key) ?? [];
      return folder === undefined ? [] : [[folder, filesOf(key)]];
    }),
  );
};

/** Builds the renderer beside the pages, from the same code, with the file names of the pages' build. */
const renderer: Plugin = {
  name: 'renderer',
  async writeBundle({ dir: folder = '' }, bundle) {
    const manifest = bundle['.vite/manifest.json'];
    if (manifest?.type !== 'asset') throw new Error('the build has made no manifest');
    await build({
      configFile: false,
      root: import.meta.dirname,
      publicDir: false,
      logLevel: 'warn',
      resolve,
      plugins: [react(jsx)],
      define: {
        chunkFiles: JSON.stringify(chunkFilesIn(JSON.parse(String(manifest.source)))),
        'process.env.NODE_ENV': JSON.stringify(process.env['NODE_ENV'] ?? 'production'),
      },
      // A store installs no packages of the browser app.
      ssr: { noExternal: true },
      build: {
        ssr: 'render.tsx',
        outDir: folder,
        emptyOutDir: false,
        target: 'node20',
        minify: true,
        rolldownOptions: {
          checks: { pluginTimings: false },
          output: { entryFileNames: rendererFile, codeSplitting: false },
        },
      },
    });
  },
};

export default defineConfig({
  publicDir: 'public',
  resolve,
  plugins: [
    pages,
    react(jsx),
    renderer,
    compression({ algorithms: ['gzip', 'brotliCompress'], threshold: 512 }),
  ],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    manifest: true,
    // Licences that the packages of the browser app ask to include.
    license: true,
    target: 'es2022',
    // Safari before version 17 ignores these preloads, and loads the same files slightly later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Without this, warnings about slow plugins would be printed on a busy machine.
      checks: { pluginTimings: false },
      input: { index: 'web/index.html', desk: 'web/desk.html' },
      output: { codeSplitting: { groups } },
    },
  },
});

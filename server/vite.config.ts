/** The build of the server for production: one bundle without types, with its packages in it (docs/decisions/0060). */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import packageJson from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const own = ['commands', 'contract', 'server', 'tools'].map((folder) => join(root, folder) + sep);

function readCommit(): string {
  const { COMMIT } = process.env;
  if (COMMIT) return COMMIT;
  // If an archive was unpacked inside a git repository, git would find that repository.
  if (!existsSync(join(root, '.git'))) return 'unknown';
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

/** The bundle refers to files of a checkout from its own folder, which is beside the folders of the sources. */
const folderFromBundle = (file: string): string =>
  `(import.meta.dirname + ${JSON.stringify(`/../${relative(root, dirname(file)).replaceAll(sep, '/')}`)})`;

/** Makes threads, processes and files that a source names files of the bundle, and texts parts of it. Line numbers stay the same. */
const filesBeside: Plugin = {
  name: 'files-beside',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('.ts') || !own.some((folder) => id.startsWith(folder))) return undefined;
    const beside = (name: string) => join(dirname(id), name);
    const inBundle = (name: string): string => {
      const fileName = `${basename(name, '.ts')}.js`;
      this.emitFile({ type: 'chunk', id: beside(name), fileName });
      return `new URL('./${fileName}', import.meta.url)`;
    };
    return readFileSync(id, 'utf8')
      .replaceAll(/new URL\('\.\/([\w-]+\.ts)', import\.meta\.url\)/g, (_, name) => inBundle(name))
      .replaceAll(/readFileSync\(join\(import\.meta\.dirname, '([^']+)'\), 'utf8'\)/g, (_, name) =>
        JSON.stringify(readFileSync(beside(name), 'utf8')),
      )
      .replaceAll(/import\.meta\.dirname(?:, '([\w.-]+\.\w+)'\))?/g, (found, name) => {
        if (name === undefined) return folderFromBundle(id);
        this.emitFile({ type: 'asset', fileName: name, source: readFileSync(beside(name)) });
        return found;
      });
  },
};

function asciiOf(code: string): string {
  const [unsafe] = /(?<!\\)(?:\\\\)*\\[^\0-\x7f]|String\.raw/.exec(code) ?? [];
  if (unsafe !== undefined) throw new Error(`the bundle has ${unsafe}, which cannot be made ASCII`);
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Makes the bundle ASCII: Node keeps a text with another character in two bytes for each (docs/decisions/0060). It runs last, because the
 * bundler would turn escapes back into characters. No line moves; columns behind an escape do.
 */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = asciiOf(file.code);
    }
  },
};

/** Packages outside the bundle: native code; the demo's provider, which is only for checkouts; and what `pg` uses elsewhere. */
const external = ['sharp', 'oidc-provider', 'pg-native', 'pg-cloudflare'];

const packageOfServer: Plugin = {
  name: 'package-of-server',
  generateBundle() {
    const { devDependencies: _, imports: __, scripts, dependencies, ...described } = packageJson;
    const left = Object.entries(dependencies).filter(([name]) => external.includes(name));
    const content = {
      ...described,
      scripts: { serve: scripts.serve, shop: scripts.shop },
      dependencies: Object.fromEntries(left),
    };
    this.emitFile({ type: 'asset', fileName: 'package.json', source: JSON.stringify(content, null, 2) });
  },
};

export default defineConfig({
  publicDir: false,
  define: { builtCommit: JSON.stringify(readCommit()) },
  plugins: [filesBeside, asciiOnly, packageOfServer],
  ssr: {
    noExternal: true,
    external,
  },
  build: {
    outDir: '../build',
    emptyOutDir: true,
    ssr: true,
    emitAssets: true,
    target: 'node24',
    sourcemap: true,
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      // Without this, warnings about slow plugins would be printed on a busy machine.
      checks: { pluginTimings: false },
      input: { serve: 'tools/serve.ts', shop: 'commands/run.ts' },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // Names stay, because the log has the names of errors and tasks.
        keepNames: true,
        sourcemapExcludeSources: true,
      },
    },
  },
});

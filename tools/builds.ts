/** The builds of `npm run build`: the pages that the store serves, and the server as one bundle. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rendererFile } from '../contract/rendered-page.ts';

const root = join(import.meta.dirname, '..');

type BuildOptions = {
  source: string;
  made: string;
  sources: readonly string[];
  /** These files come last, because they name the others. Every build has them. */
  lastFiles: readonly string[];
  /** A file with a hash of its content in its name. The last build's files stay, because a running store and open pages still need them. */
  isNamedByContent(file: string): boolean;
};

/** npm writes the second file: it lists the installed packages. */
const packages = ['package-lock.json', 'node_modules/.package-lock.json'];

export const pages = openBuild({
  source: 'web',
  made: 'dist',
  sources: ['contract', 'web', 'tsconfig.json', ...packages],
  lastFiles: ['index.html', 'desk.html', rendererFile],
  isNamedByContent: (file) => file.startsWith('assets'),
});

export const server = openBuild({
  source: 'server',
  made: 'build',
  sources: ['commands', 'contract', 'server', 'tools', 'tsconfig.json', 'package.json', ...packages],
  lastFiles: ['serve.js', 'shop.js'],
  isNamedByContent: (file) => /^[^/\\]+-[\w-]{8}\.js(\.map)?$/.test(file),
});

type BuildRecord = { sources: string; files: readonly string[] };

function openBuild({ source, made, sources, lastFiles, isNamedByContent }: BuildOptions) {
  const folder = join(root, made);
  const recordFile = join(folder, '.vite', 'made.json');
  /** Marks a build that writes into the folder itself: its files, finished or not, are not current. */
  const forget = () => rmSync(recordFile, { force: true });
  const isBuilt = (files: readonly string[] = lastFiles) =>
    files.every((file) => existsSync(join(folder, file)));
  const readRecord = (): BuildRecord | undefined =>
    existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : undefined;

  function publish(newFolder: string, hash: string): void {
    const last = readRecord();
    const files = filesIn(newFolder).map((file) => relative(newFolder, file));
    forget();
    for (const file of [...files.filter((one) => !lastFiles.includes(one)), ...lastFiles]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      renameSync(join(newFolder, file), join(folder, file));
    }
    if (last && last.sources !== hash) {
      const kept = [...files, ...last.files];
      const named = filesIn(folder).filter((file) => isNamedByContent(relative(folder, file)));
      for (const file of named) if (!kept.includes(relative(folder, file))) rmSync(file, { force: true });
    }
    const record: BuildRecord = { sources: hash, files };
    writeFileSync(join(newFolder, 'made.json'), JSON.stringify(record));
    renameSync(join(newFolder, 'made.json'), recordFile);
  }

  return {
    isBuilt: () => isBuilt(),
    isCurrent: () => {
      const record = readRecord();
      return record?.sources === hashOf(sources) && isBuilt(record.files);
    },
    forget,
    /** Builds beside the existing files, and then replaces them: a running store always finds whole files. @returns false if the build failed. */
    async make(): Promise<boolean> {
      const hash = hashOf(sources);
      const newFolder = join(folder, '.vite', `build-${process.pid}`);
      const vite = ['node_modules/vite/bin/vite.js', 'build', source, '--logLevel', 'warn'];
      const child = spawn(process.execPath, [...vite, '--outDir', newFolder], {
        cwd: root,
        // With another value, such as that of a test, Vite would take React's development version.
        env: { ...process.env, NODE_ENV: 'production' },
        stdio: 'inherit',
      });
      const [exitCode] = await once(child, 'exit');
      if (exitCode === 0) publish(newFolder, hash);
      rmSync(newFolder, { recursive: true, force: true });
      return exitCode === 0;
    },
  };
}

const isOfTests = (file: string): boolean => /\.test\.tsx?$|[\\/](testing|fixtures)[\\/]/.test(file);

/** The hash covers names and contents. File times are unreliable: they may come from a backup. */
function hashOf(sources: readonly string[]): string {
  const all = createHash('sha256');
  for (const file of sources.flatMap((source) => filesIn(join(root, source)))) {
    if (!isOfTests(file))
      all
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
  }
  return all.digest('hex');
}

function filesIn(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

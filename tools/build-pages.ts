/** The build of the pages: `npm run build`, for `npm start` and the tools that need the pages first. */

import { spawn } from 'node:child_process';
import { createHash, hash } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync,
  constants,
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
import { hasProcessEnded } from '../server/ended-process.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
/** The hash of what the last build was made of, and its files with their hashes. */
const recordFile = join(dist, '.vite', 'build.json');
type BuildRecord = { sources: string; files: Readonly<Record<string, string>> };

/** The files and folders that a build reads. npm writes the last one: it lists the installed packages. */
const sources = ['contract', 'web', 'tsconfig.json', 'package-lock.json', 'node_modules/.package-lock.json'];

/** Arguments of Node that run Vite's build in the project's folder; more arguments of Vite may follow. */
export const viteArguments = ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn'];

export const arePagesBuilt = (): boolean =>
  ['index.html', rendererFile].every((file) => existsSync(join(dist, file)));

/** @returns whether a build would make the pages that are there. */
export const arePagesCurrent = (): boolean => isBuildOf(readRecord(), hashSources());

/** Compares contents: times of files can be those of a backup. */
const isBuildOf = (record: BuildRecord | undefined, sources: string): boolean =>
  record?.sources === sources &&
  Object.entries(record.files).every(
    ([file, hash]) => existsSync(join(dist, file)) && hashFile(join(dist, file)) === hash,
  );

/** For a build that writes into the folder itself: what it leaves there, finished or not, is not current. */
export const forgetBuild = (): void => rmSync(recordFile, { force: true });

/**
 * Builds the pages beside those that are there, and replaces them when all are made: a store that runs, and another build
 * at the same time, find whole files.
 * @returns whether the pages were built. If not, the terminal has said why.
 */
export async function buildPages(): Promise<boolean> {
  const readOnly = writtenFolders().find((folder) => !isWritable(folder));
  if (readOnly !== undefined) {
    process.stderr.write(`The pages must be built, and this user cannot write to ${readOnly}.\n`);
    return false;
  }
  removeInterruptedBuilds();
  const hashBefore = hashSources();
  const folder = join(dist, '.vite', `build-${process.pid}`);
  const child = spawn(process.execPath, [...viteArguments, '--outDir', folder], {
    cwd: root,
    stdio: 'inherit',
  });
  const [exitCode] = await once(child, 'exit');
  if (exitCode === 0) publish(folder, hashBefore);
  rmSync(folder, { recursive: true, force: true });
  return exitCode === 0;
}

/** Removes the folders of builds whose process was killed. */
function removeInterruptedBuilds(): void {
  const builds = join(dist, '.vite');
  if (!existsSync(builds)) return;
  for (const name of readdirSync(builds)) {
    const [, pid] = /^build-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && hasProcessEnded(Number(pid))) {
      rmSync(join(builds, name), { recursive: true, force: true });
    }
  }
}

/** @returns the folders that a build writes to and that exist. Vite keeps its own files beside the packages. */
const writtenFolders = (): string[] => {
  const folders = ['dist', 'dist/.vite', 'dist/assets', 'node_modules', 'node_modules/.vite-temp'];
  const paths = folders.map((folder) => join(root, folder)).filter((path) => existsSync(path));
  return existsSync(dist) ? paths : [root, ...paths];
};

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

function publish(folder: string, sources: string): void {
  const last = readRecord();
  // Another process has built the same meanwhile.
  if (isBuildOf(last, sources)) return;
  const files = Object.fromEntries(listFiles(folder).map((file) => [file, hashFile(join(folder, file))]));
  forgetBuild();
  // The pages come last, and the renderer with them: they name the other files.
  const isPage = (file: string) => file.endsWith('.html') || file === rendererFile;
  for (const file of Object.keys(files).sort((one, other) => Number(isPage(one)) - Number(isPage(other)))) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    renameSync(join(folder, file), join(dist, file));
  }
  // Those of the last build stay: a store that runs and open pages still need them.
  if (last && last.sources !== sources) {
    for (const asset of listFiles(join(dist, 'assets')).map((name) => join('assets', name))) {
      if (!(asset in files || asset in last.files)) rmSync(join(dist, asset), { force: true });
    }
  }
  const record: BuildRecord = { sources, files };
  writeFileSync(join(folder, 'build.json'), JSON.stringify(record));
  renameSync(join(folder, 'build.json'), recordFile);
}

function readRecord(): BuildRecord | undefined {
  try {
    return JSON.parse(readFileSync(recordFile, 'utf8'));
  } catch {
    return undefined;
  }
}

function hashSources(): string {
  const all = createHash('sha256');
  // Vite builds React's development version when this says so.
  all.update(JSON.stringify(process.env['NODE_ENV'] ?? 'production'));
  for (const source of sources) {
    const path = join(root, source);
    const files = statSync(path, { throwIfNoEntry: false })?.isFile()
      ? [path]
      : listFiles(path).map((file) => join(path, file));
    for (const file of files) all.update(JSON.stringify([relative(root, file), hashFile(file)]));
  }
  return all.digest('hex');
}

const hashFile = (path: string): string => hash('sha256', readFileSync(path));

/** @returns the files below a folder, by their paths from there; none where there is no folder. */
function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

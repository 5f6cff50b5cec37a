/** The builds of `npm run build`: the pages that the store serves, and the server as one bundle. */

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

export type Build = {
  /** @returns whether its files are there. */
  isBuilt(): boolean;
  /** @returns whether a build would make the files that are there. */
  isCurrent(): boolean;
  /** For a build that writes into the folder itself: what it leaves there, finished or not, is not current. */
  forget(): void;
  /**
   * Builds beside the files that are there, and replaces them when all are made: a store that runs, and another build at the
   * same time, find whole files.
   * @returns whether it was built. If not, the terminal has said why.
   */
  make(): Promise<boolean>;
};

type BuildOptions = {
  /** For a sentence: `The pages`. */
  name: string;
  /** The folder that it makes. */
  folder: string;
  /** Arguments of Node that run it in the project's folder; more arguments of Vite may follow. */
  args: readonly string[];
  /** The files and folders that it reads. */
  sources: readonly string[];
  /** These files come last, because they name the others. A build has each of them. */
  lastFiles: readonly string[];
  /**
   * A file whose name has a hash of its content, but for those that another process is about to move here. That of the last
   * build stays: a store that runs and open pages still need it.
   */
  isNamedByContent(file: string): boolean;
};

/** Arguments of Node that run Vite's build of a folder; more arguments of Vite may follow. */
const viteArguments = (folder: string): string[] => [
  ...['node_modules/vite/bin/vite.js', 'build', folder, '--logLevel', 'warn'],
];

/** npm writes the second one: it lists the installed packages. */
const packages = ['package-lock.json', 'node_modules/.package-lock.json'];

export const pages = openBuild({
  name: 'The pages',
  folder: join(root, 'dist'),
  args: viteArguments('web'),
  sources: ['contract', 'web', 'tsconfig.json', ...packages],
  lastFiles: ['index.html', 'desk.html', rendererFile],
  isNamedByContent: (file) => file.startsWith('assets'),
});

export const server = openBuild({
  name: 'The server',
  folder: join(root, 'build'),
  args: viteArguments('server'),
  sources: ['commands', 'contract', 'server', 'tools', 'tsconfig.json', 'package.json', ...packages],
  lastFiles: ['serve.js', 'shop.js'],
  isNamedByContent: (file) => /^[^/\\]+-[\w-]{8}\.js(\.map)?$/.test(file),
});

/** The hash of what the last build was made of, and its files with their hashes. */
type BuildRecord = { sources: string; files: Readonly<Record<string, string>> };

function openBuild({ name, folder, args, sources, lastFiles, isNamedByContent }: BuildOptions): Build {
  const recordFile = join(folder, '.vite', 'build.json');
  const forget = () => rmSync(recordFile, { force: true });

  const readRecord = (): BuildRecord | undefined => {
    try {
      return JSON.parse(readFileSync(recordFile, 'utf8'));
    } catch {
      return undefined;
    }
  };

  /** Compares contents: times of files can be those of a backup. */
  const isBuildOf = (record: BuildRecord | undefined, sources: string): boolean =>
    record?.sources === sources &&
    Object.entries(record.files).every(
      ([file, hash]) => existsSync(join(folder, file)) && hashFile(join(folder, file)) === hash,
    );

  const publish = (made: string, sources: string): void => {
    const last = readRecord();
    // Another process has built the same meanwhile.
    if (isBuildOf(last, sources)) return;
    const files = Object.fromEntries(listFiles(made).map((file) => [file, hashFile(join(made, file))]));
    forget();
    const isLast = (file: string) => Number(lastFiles.includes(file));
    for (const file of Object.keys(files).sort((one, other) => isLast(one) - isLast(other))) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      renameSync(join(made, file), join(folder, file));
    }
    if (last && last.sources !== sources) {
      for (const file of listFiles(folder).filter(isNamedByContent)) {
        if (!(file in files || file in last.files)) rmSync(join(folder, file), { force: true });
      }
    }
    const record: BuildRecord = { sources, files };
    writeFileSync(join(made, 'build.json'), JSON.stringify(record));
    renameSync(join(made, 'build.json'), recordFile);
  };

  return {
    isBuilt: () => lastFiles.every((file) => existsSync(join(folder, file))),
    isCurrent: () => isBuildOf(readRecord(), hashSources(sources)),
    forget,
    async make() {
      const readOnly = writtenFolders(folder).find((one) => !isWritable(one));
      if (readOnly !== undefined) {
        process.stderr.write(`${name} must be built, and this user cannot write to ${readOnly}.\n`);
        return false;
      }
      // Vite takes them for the query and the hash of an address, and prints 47 lines about missing files.
      if (/[#?]/.test(root)) {
        process.stderr.write(
          `${name} cannot be built in ${root}: rename the folder that has # or ? in its name.\n`,
        );
        return false;
      }
      removeInterruptedBuilds(folder);
      const hashBefore = hashSources(sources);
      const made = join(folder, '.vite', `build-${process.pid}`);
      // With another NODE_ENV, such as that of a test which builds, Vite takes React's development version.
      const env = { ...process.env, NODE_ENV: 'production' };
      const child = spawn(process.execPath, [...args, '--outDir', made], {
        cwd: root,
        env,
        stdio: 'inherit',
      });
      const [exitCode] = await once(child, 'exit');
      if (exitCode === 0) publish(made, hashBefore);
      rmSync(made, { recursive: true, force: true });
      return exitCode === 0;
    },
  };
}

/** Removes the folders of builds whose process was killed. */
function removeInterruptedBuilds(folder: string): void {
  const builds = join(folder, '.vite');
  if (!existsSync(builds)) return;
  for (const name of readdirSync(builds)) {
    const [, pid] = /^build-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && hasProcessEnded(Number(pid))) {
      rmSync(join(builds, name), { recursive: true, force: true });
    }
  }
}

/** @returns the folders that a build writes to and that exist. Vite keeps its own files beside the packages. */
function writtenFolders(folder: string): string[] {
  const made = [folder, join(folder, '.vite'), join(folder, 'assets')];
  const ofVite = [join(root, 'node_modules'), join(root, 'node_modules', '.vite-temp')];
  const paths = [...made, ...ofVite].filter((path) => existsSync(path));
  return existsSync(folder) ? paths : [root, ...paths];
}

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** Tests change no build. */
const isOfTests = (file: string): boolean => /\.test\.tsx?$|[\\/](testing|fixtures)[\\/]/.test(file);

function hashSources(sources: readonly string[]): string {
  const all = createHash('sha256');
  for (const source of sources) {
    const path = join(root, source);
    const files = statSync(path, { throwIfNoEntry: false })?.isFile()
      ? [path]
      : listFiles(path).map((file) => join(path, file));
    for (const file of files) {
      if (!isOfTests(file)) all.update(JSON.stringify([relative(root, file), hashFile(file)]));
    }
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

/** The image of deploy/Dockerfile without a container engine: the files of its last stage in a folder. */

import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyServerPackages } from '../../server/testing/server-packages.ts';
import { readImageEnvironment, readLastStage } from '../../tools/test/dockerfile.ts';

const root = join(import.meta.dirname, '..', '..');
const runProgram = promisify(execFile);

export type Image = {
  /** The folder of `WORKDIR`. Nobody may write to it. */
  folder: string;
  /** A folder with `node` in it, as `node:24-slim` has one in its PATH. */
  programs: string;
  environment: Readonly<Record<string, string>>;
  /** Program and arguments. */
  command: readonly string[];
  healthCheck: readonly string[];
};

/** Makes the image in a new folder below `parent`, which every user may enter. @throws for an instruction that it does not know. */
export async function makeImage(parent: string): Promise<Image> {
  const folder = join(parent, 'app');
  const programs = join(parent, 'bin');
  await mkdir(folder);
  await mkdir(programs);
  await provideNode(join(programs, 'node'));
  let command: string[] = [];
  let healthCheck: string[] = [];
  for (const [instruction, value] of await readLastStage()) {
    if (instruction === 'COPY') await copy(value.split(/\s+/), folder);
    else if (instruction === 'CMD') command = JSON.parse(value);
    else if (instruction === 'HEALTHCHECK') healthCheck = JSON.parse(value.replace(/^.*? CMD /, ''));
    else if (!['FROM', 'ENV', 'WORKDIR', 'RUN', 'VOLUME', 'USER', 'EXPOSE'].includes(instruction)) {
      throw new Error(`${instruction}: what does it do to the image?`);
    }
  }
  await runProgram('chmod', ['-R', 'a-w,a+rX', folder]);
  return { folder, programs, environment: await readImageEnvironment(), command, healthCheck };
}

/** The image's user may not reach the project's folder, where this Node is. */
async function provideNode(file: string): Promise<void> {
  await link(process.execPath, file).catch(() => copyFile(process.execPath, file));
  await chmod(file, 0o755);
}

async function copy(words: readonly string[], folder: string): Promise<void> {
  const names = words.filter((word) => !word.startsWith('--'));
  const sources = names.slice(0, -1);
  const target = join(folder, names.at(-1) ?? '');
  if (words[0] === '--from=packages') return await copyServerPackages(target);
  const isFolder = names.at(-1)?.endsWith('/') === true;
  for (const source of sources) {
    const name = words[0] === '--from=pages' ? source.replace(/^\/app\//, '') : source;
    await cp(
      join(root, name),
      isFolder || sources.length > 1 ? join(target, name.replace(/.*\//, '')) : target,
      {
        recursive: true,
      },
    );
  }
}

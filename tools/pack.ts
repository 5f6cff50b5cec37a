import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');

export async function pack(target: string): Promise<{ filename: string; files: { path: string }[] }> {
  const { files }: { files: string[] } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const folder = await mkdtemp(join(tmpdir(), 'colophon-pack-'));
  try {
    for (const file of ['LICENSE', 'README.md', ...files].filter((one) => !one.startsWith('!')))
      await cp(join(root, file), join(folder, file), { recursive: true });
    await cp(join(root, 'build', 'package.json'), join(folder, 'package.json'));
    const npm = process.env['npm_execpath'];
    const [program, ...script] = npm ? [process.execPath, npm] : ['npm'];
    const args = [...script, 'pack', '--json', '--ignore-scripts', '--pack-destination', target];
    const options = { cwd: folder, maxBuffer: 16 * 1024 * 1024 };
    const [packed] = JSON.parse((await promisify(execFile)(program, args, options)).stdout);
    return packed;
  } finally {
    await rm(folder, { recursive: true });
  }
}

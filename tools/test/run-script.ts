import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';

const root = join(import.meta.dirname, '..', '..');

/** The npm scripts by name, each as it is written in package.json. */
export const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** Runs an npm script with this Node, without npm. @param environment added to that of this process. */
export async function runScript(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ stdout: string; stderr: string; exitCode: unknown }> {
  const [, ...words] = scripts[name]?.split(' ') ?? [];
  const child = spawn(process.execPath, [...words, ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  return { stdout, stderr, exitCode };
}

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findProgram } from '../../server/testing/programs.ts';

const runProgram = promisify(execFile);
const deploy = join(import.meta.dirname, '..', '..', 'deploy');
const program = findProgram('systemd-analyze') ?? '';

describe('the units of systemd', () => {
  beforeEach(({ skip }) => skip(program === '', 'systemd-analyze is not installed'));

  let folder: string;
  let units: string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
    const names = (await readdir(deploy)).filter((name) => /\.(service|timer)$/.test(name));
    units = names.map((name) => join(folder, name));
    for (const name of names) {
      // systemd's check also looks for the program.
      const text = await readFile(join(deploy, name), 'utf8');
      const unit = text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`);
      await writeFile(join(folder, name), unit.replace(/^Documentation=.*/m, ''));
    }
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('are free of faults', async () => {
    const { stderr } = await runProgram(program, ['verify', ...units]);

    expect(units.length).toBeGreaterThan(2);
    expect(stderr.split('\n').filter((line) => line.includes(folder))).toEqual([]);
  });

  test('leave a broken process little: systemd rates each at most 2.0 of 10', async () => {
    const services = units.filter((unit) => unit.endsWith('.service'));
    for (const service of services) {
      const { stdout } = await runProgram(program, ['security', '--offline=true', '--json=off', service]);
      const [, level] = /exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];

      expect(Number(level), service).toBeLessThanOrEqual(2);
    }
  });

  test('restrict the backup as they restrict the store', async () => {
    const restrictionsOf = async (name: string) =>
      (await readFile(join(deploy, name), 'utf8'))
        .split('CapabilityBoundingSet=')[1]
        ?.split('\n')
        .filter((line) => /^\w+=/.test(line) && !line.startsWith('WantedBy'));

    expect(await restrictionsOf('colophon-backup.service')).toEqual(await restrictionsOf('colophon.service'));
  });
});

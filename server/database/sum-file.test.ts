import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../testing/ends-with-test.ts';
import { writeWhole } from './whole-file.ts';

test('at each moment the file at a name has its sum, also while it is replaced', async () => {
  const file = join(await makeFolder(), 'b');
  let isDone = false;
  const writing = async () => {
    for (let number = 0; number < 40; number += 1) {
      await writeWhole(file, { isForced: true, hasSum: true }, (_part, handle) =>
        handle.writeFile(`${number}`),
      );
    }
    isDone = true;
  };
  const read = (name: string) => readFile(name, 'utf8').catch(() => '');
  let looks = 0;
  const looking = async () => {
    while (!isDone) {
      const before = await read(`${file}.sha256`);
      const content = await read(file);
      const sums = before + (await read(`${file}.sha256`));
      if (content === '') continue;
      expect(sums).toContain(createHash('sha256').update(content).digest('hex'));
      looks += 1;
    }
  };

  await Promise.all([writing(), looking(), looking()]);

  expect(looks).toBeGreaterThan(40);
});

import { expect, test } from 'vitest';
import { onEverySchedule } from '../testing/schedules.ts';
import { groupCommit } from './group-commit.ts';

type Item = { id: number; isRefused: boolean };
type Batch = { ids: readonly number[] };

const errorOf = (code: string, batch: Batch) => Object.assign(new Error(code), { code, batch });
const [refused, conflict, lost] = ['23505', '40001', '57P01'];

onEverySchedule(
  'a call gets the answer to itself, not older than the call, and fails only with its own batch, or unsent while the database is lost',
  async ({ turn, happens, pick, play }) => {
    let changes = 0;
    const done = new Map<number, number>();
    const work = groupCommit(async (items: readonly Item[]) => {
      const batch = { ids: items.map(({ id }) => id) };
      const fate = pick('answers', 'answers', conflict, lost);
      await turn(`batch ${batch.ids}`);
      if (items.some(({ isRefused }) => isRefused)) throw errorOf(refused, batch);
      if (fate === conflict) throw errorOf(conflict, batch);
      const isDone = fate === 'answers' || pick(true, false);
      for (const { id } of isDone ? items : []) done.set(id, (done.get(id) ?? 0) + 1);
      const answers = items.map(({ id }) => ({ id, changes }));
      await turn(`the answer to ${batch.ids}`);
      if (fate === 'answers') return answers;
      throw errorOf(lost, batch);
    });
    const settledIds: number[] = [];
    const call = async (id: number) => {
      const [isRefused, changesBefore] = [pick(true, ...Array(9).fill(false)), changes];
      try {
        const answer = await work({ id, isRefused });
        expect(answer?.id).toBe(id);
        expect(answer?.changes).toBeGreaterThanOrEqual(changesBefore);
        expect(done.get(id)).toBe(1);
      } catch (error) {
        if (!(error instanceof Error) || !('batch' in error)) throw error;
        const { ids } = error.batch as Batch;
        if (error.message === refused) expect([isRefused, ids]).toEqual([true, [id]]);
        else if (error.message === conflict) expect(ids).toEqual([id]);
        expect(done.get(id) ?? 0).toBeLessThanOrEqual(ids.includes(id) ? 1 : 0);
      } finally {
        settledIds.push(id);
      }
    };
    const ids = Array.from({ length: 8 }, (_, index) => index);
    for (const id of ids) happens(`call ${id}`, () => call(id));
    for (const change of [1, 2]) happens('a change', () => (changes += change));

    await play();

    expect(settledIds.sort()).toEqual(ids);
  },
);

test.each([
  ['first batch', [lost]],
  ['first call of a rejected batch', [conflict, lost]],
])('while the database is lost, those behind the %s fail with it, unsent', async (_, codes) => {
  let batches = 0;
  const work = groupCommit(async () => {
    const code = codes[batches];
    batches += 1;
    throw Object.assign(new Error(code), { code });
  });

  const outcomes = await Promise.allSettled(Array.from({ length: 250 }, (_, id) => work(id)));

  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(250);
  expect(batches).toBe(codes.length);
});

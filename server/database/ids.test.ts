import { expect, test, vi } from 'vitest';
import { isUuid } from '../../contract/uuid.ts';
import { newId, timeOfId } from './ids.ts';

test('ids sort in the order in which they were made, also within a millisecond and when the clock is set back', () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(4_102_444_800_000);
  const first = newId();
  const others = Array.from({ length: 5_000 }, () => newId());
  clock.mockReturnValue(4_102_444_700_000);
  const ids = [first, ...others, newId()];
  clock.mockRestore();

  expect(timeOfId(first)).toBe(4_102_444_800_000);
  expect(ids.filter((id) => !isUuid(id) || id[14] !== '7')).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

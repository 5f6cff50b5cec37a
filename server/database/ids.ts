/** UUIDs of version 7 (RFC 9562, section 5.7) begin with their time. In orders of older versions `placed_at` is some milliseconds later. */
import { randomUUID } from 'node:crypto';

const maxCount = 0xfff;
let lastMs = 0;
/** A counter orders ids of the same millisecond: Node's `randomUUIDv7` has random bits there, so its ids would not sort. */
let count = 0;

export function newId(): string {
  const now = Date.now();
  if (now > lastMs) [lastMs, count] = [now, 0];
  else if (count < maxCount) count += 1;
  else [lastMs, count] = [lastMs + 1, 0];
  return idAt(lastMs, count);
}

export const idAt = (time: number, countInMs = 0): string =>
  `${firstIdAt(time)}-7${countInMs.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`;

export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

export function firstIdAt(time: number): string {
  const digits = Math.max(time, 0).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

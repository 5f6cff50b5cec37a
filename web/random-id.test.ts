import { expect, test, vi } from 'vitest';
import { randomId, uuidFrom } from './random-id.ts';

test('random bytes become a version 4 UUID', () => {
  expect(uuidFrom(new Uint8Array(16).fill(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  expect(uuidFrom(new Uint8Array(16))).toBe('00000000-0000-4000-8000-000000000000');
});

test('where the browser has no UUIDs of its own, an id is made of random bytes', () => {
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(0xff) });
  try {
    expect(randomId()).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  } finally {
    vi.unstubAllGlobals();
  }
});

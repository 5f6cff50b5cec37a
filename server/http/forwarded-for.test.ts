import { expect, test } from 'vitest';
import { addressesIn } from './forwarded-for.ts';

const headers: [header: string, addresses: string[]][] = [
  ['203.0.113.8', ['203.0.113.8']],
  ['203.0.113.8:5555', ['203.0.113.8']],
  ['[2001:db8::1]:5555', ['2001:db8::1']],
  ['[2001:db8::1]', ['2001:db8::1']],
  ['2001:db8::1', ['2001:db8::1']],
  [' 198.51.100.7 ,203.0.113.8:1', ['198.51.100.7', '203.0.113.8']],
  ['unknown, 203.0.113.8', ['203.0.113.8']],
  ['198.51.100.7, "><script>, 203.0.113.8', ['203.0.113.8']],
  ['203.0.113.8, _hidden', []],
  ['', []],
  ['A'.repeat(5_000), []],
  ['[203.0.113.8', []],
  ['203.0.113.8:x', []],
];

test('X-Forwarded-For has addresses, with ports or without, and nothing else is taken for one', () => {
  for (const [header, addresses] of headers) expect(addressesIn(header), header).toEqual(addresses);
});

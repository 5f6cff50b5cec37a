import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCheckoutDay } from './checkout-day.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');

test('on 1 March 2026 the day before and after it are checkout days too', () => {
  const days = ['Sun Mar 01 2026', 'Sat Feb 28 2026', 'Mon Mar 02 2026'];
  const others = [
    ...['Fri Feb 27 2026', 'Tue Mar 03 2026', 'Mon Mar 01 2026', 'Sun Mar 1 2026', 'Sun Feb 29 2026'],
    ...['sun mar 01 2026', 'Sun Mar 01 2026 ', '2026-03-01', ''],
  ];
  expect([...days, ...others].filter((text) => isCheckoutDay(text, noon))).toEqual(days);
});

test('today is a checkout day in every time zone, at any time', () => {
  const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(moment, fc.integer({ min: -12 * 60, max: 14 * 60 }), (now, offsetMinutes) => {
      const there = new Date(now.getTime() + offsetMinutes * 60_000)
        .toUTCString()
        .replace(',', '')
        .split(' ');
      expect(isCheckoutDay(`${there[0]} ${there[2]} ${there[1]} ${there[3]}`, now.getTime())).toBe(true);
    }),
  );
});

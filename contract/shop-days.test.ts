import { expect, test } from 'vitest';
import { dayAt, dayOf, startOfDay } from './shop-days.ts';

test('a day begins when its clocks do', () => {
  const starts = [
    ['UTC', '2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    // Nepal's offset has a quarter of an hour.
    ['Asia/Kathmandu', '2026-11-21', '2026-11-20T18:15:00.000Z'],
    // The clocks went forward from midnight to one: the day began at one.
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    // The clocks went back from one to midnight: the day began at the first of two midnights.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    // The clocks went back from midnight to eleven: the day before had 25 hours.
    ['America/Sao_Paulo', '2019-02-17', '2019-02-17T03:00:00.000Z'],
    // There was no such day, so the next day begins.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ];
  for (const [zone = '', day = '', time] of starts) {
    expect([zone, day, new Date(startOfDay(dayOf(day), zone)).toISOString()]).toEqual([zone, day, time]);
  }
});

test('each quarter of an hour of a year is of the day in which it lies', () => {
  const quarterMs = 15 * 60 * 1000;
  const from = Date.parse('2026-01-01');
  for (const zone of ['Europe/Berlin', 'America/Havana', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC']) {
    let day = dayAt(from, zone);
    let end = startOfDay(day + 1, zone);
    for (let time = from; time < from + 366 * 96 * quarterMs; time += quarterMs) {
      if (time >= end) {
        day += 1;
        expect(time).toBe(end);
        end = startOfDay(day + 1, zone);
      }
      if (dayAt(time, zone) !== day) throw new Error(`${new Date(time).toISOString()} in ${zone}`);
    }
  }
});

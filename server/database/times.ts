export { dayMs } from '../../contract/shop-days.ts';

/** ISO 8601. */
export const timeText = (ms: number): string => new Date(ms).toISOString();

export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeText(ms));

/** @returns the day, such as 2026-11-21. */
export const dayText = (ms: number): string => timeText(ms).slice(0, 10);

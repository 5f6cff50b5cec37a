export { dayMs } from '../../contract/shop-days.ts';

export const timeText = (ms: number): string => new Date(ms).toISOString();

export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeText(ms));

export const dayText = (ms: number): string => timeText(ms).slice(0, 10);

/** Measures how fast the page was for its visitor, and sends the figures once, when it is left or hidden. */
import { onCLS, onINP, onLCP } from 'web-vitals';
import { parsePattern, paths, screens } from '../contract/paths.ts';
import type { Vitals } from '../contract/vitals.ts';
import { apiOrigin } from './api/client.ts';
import { sendOnLeaving } from './memory/platform.ts';

const [screen = 'other'] =
  Object.entries(screens).find(([, screen]) =>
    parsePattern(typeof screen === 'string' ? screen : screen.pattern).pattern.test(location.pathname),
  ) ?? [];
const vitals: Vitals = { screen };

const send = () => {
  if (document.visibilityState !== 'hidden') return;
  document.removeEventListener('visibilitychange', send);
  sendOnLeaving(apiOrigin + paths.vitals, vitals);
};

const whenever = { reportAllChanges: true };
onLCP(({ value }) => Object.assign(vitals, { lcp: value }), whenever);
onINP(({ value }) => Object.assign(vitals, { inp: value }), whenever);
onCLS(({ value }) => Object.assign(vitals, { cls: value }), whenever);
// This listener comes after those of the three, which take the last changes.
document.addEventListener('visibilitychange', send);

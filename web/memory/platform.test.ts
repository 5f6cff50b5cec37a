import { expect, test } from 'vitest';

const sources = import.meta.glob<string>(
  ['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../memory/platform{,-later}.ts'],
  { query: '?raw', import: 'default', eager: true },
);

/** Members of the browser that may be missing, or throw when they are read, called or made. */
const mayBeMissing = [
  ...['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore', 'cookie', 'BroadcastChannel'],
  ...['SharedWorker', 'Worker', 'new Notification', 'navigator', 'crypto', 'matchMedia', 'ResizeObserver'],
  ...['IntersectionObserver', 'BarcodeDetector', 'requestIdleCallback', 'pushState', 'replaceState'],
  ...['PerformanceNavigationTiming', 'getEntriesByType', 'scrollRestoration', 'structuredClone'],
];
const members = mayBeMissing.join('|');
const missing = new RegExp(`\\b(?:${members})\\b|AbortSignal\\.(?:any|timeout)|window\\.open\\(`, 'g');
const comments = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g;

test('what a browser may lack or refuse is asked for in platform.ts alone', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  const found = Object.entries(sources).flatMap(([file, text]) =>
    (text.replace(comments, '').match(missing) ?? []).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('a key is read in pressed-key.ts alone', () => {
  const reads =
    /\b(?:event|nativeEvent)\.(?:key|code|keyCode)\b|\{[^}]*\b(?:key|code)\b[^}]*\} = event\b|\(\{ (?:key|code)\b[^}]*\}\) =>[^=]*=== '(?:Escape|Enter|Tab|Arrow)/;
  const found = Object.entries(sources).filter(
    ([file, text]) => !file.endsWith('/pressed-key.ts') && reads.test(text),
  );
  expect(found.map(([file]) => file)).toEqual([]);
});

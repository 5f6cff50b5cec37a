/** The alerts and the dashboard of deploy/ ask for what the store measures. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { openTestStore } from '../../server/testing/test-store.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8');
const rules = ['deploy/prometheus-alerts.yaml', 'deploy/prometheus-alerts-postgresql.yaml']
  .map(read)
  .join('\n');

test('each metric that an alert or a panel reads is one of the store', async () => {
  const store = await openTestStore();
  await store.call(paths.books);
  const { payload } = await store.app.inject({ url: paths.metrics });
  const measured = [...payload.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name);
  // Prometheus itself makes the first metric; the second exists once a backup was made.
  const known = new Set([...measured, 'up', 'backup_last_success_timestamp_seconds']);

  // Only a metric has a selector in braces after it. The metrics of recording rules have a colon in their names.
  const text = [
    ...(rules.match(/expr: (?:\|\n)?[\s\S]*?\n {8}(?:for|labels)/g) ?? []),
    read('deploy/grafana-dashboard.json'),
  ];
  const named = new Set(
    [...text.join('\n').matchAll(/(?<![\w:])([a-z][a-z0-9_]+)\{/g)].map(([, name = '']) => name),
  );

  expect(named.size).toBeGreaterThan(15);
  const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, ''));
  expect([...named].filter((name) => !isKnown(name))).toEqual([]);
});

test('the operator’s guide says what to do about each alert', () => {
  const alerts = new Set([...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name));
  const headings = [...read('docs/monitoring.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);

  expect(headings).toEqual([...alerts]);
});

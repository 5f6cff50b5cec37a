/** The alerts and the dashboard of deploy/ ask for what the store measures. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { openTestStore } from '../../server/testing/test-store.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const rulesFiles = ['deploy/prometheus-alerts.yaml', 'deploy/prometheus-alerts-postgresql.yaml'];
const rules = rulesFiles.map(read).join('\n');
const dashboard: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(
  read('deploy/grafana-dashboard.json'),
);

const expressions = [
  ...[...rules.matchAll(/expr: (?:\|\n)?([\s\S]*?)\n {8}(?:for|labels)/g)].map(
    ([, expression = '']) => expression,
  ),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
];

/** Names of metrics, which alone have a selector after them. Those that the rules record have a colon. */
const metricsIn = (expression: string): string[] =>
  [...expression.matchAll(/(?<![\w:])([a-z][a-z0-9_]+)\{/g)].map(([, name = '']) => name);

test('each metric that an alert or a panel reads is one of the store', async () => {
  const store = await openTestStore();
  await store.call(paths.books);
  const { payload } = await store.app.inject({ url: paths.metrics });
  const measured = new Set([...payload.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name));

  const named = new Set(expressions.flatMap(metricsIn));

  // Prometheus makes the first itself; the other is there once a backup was made.
  const others = ['up', 'backup_last_success_timestamp_seconds'];
  const unknown = [...named].filter(
    (name) =>
      !others.includes(name) &&
      !measured.has(name) &&
      !measured.has(name.replace(/_(bucket|count|sum)$/, '')),
  );
  expect(named.size).toBeGreaterThan(15);
  expect(unknown).toEqual([]);
});

test('the operator’s guide says what to do about each alert', () => {
  const alerts = new Set([...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name));
  const headings = [...read('docs/monitoring.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);

  expect(headings).toEqual([...alerts]);
});

import { expect, test } from 'vitest';
import { countersIn, sumMetrics } from './sum-metrics.ts';

const textOf = (orders: number, waiting: number, heard: number) => `# HELP orders_total Purchases.
# TYPE orders_total counter
orders_total{code="A b"} ${orders}

# HELP mail_waiting Orders.
# TYPE mail_waiting gauge
mail_waiting ${waiting}
# HELP catalogue_changes_known Whether.
# TYPE catalogue_changes_known gauge
catalogue_changes_known ${heard}
`;

test('measurements of several processes are added up; what each knows alike is not, and a fault of one shows', () => {
  const summed = sumMetrics([textOf(1, 5, 1), textOf(2.5, 4, 0), '']);

  expect(summed).toBe(textOf(3.5, 5, 0).replace(/\n\n?# H/g, '\n\n# H'));
});

test('the counters of a process that has ended stay in the sum, and nothing else of it does', () => {
  const ended = countersIn(textOf(1, 5, 0));

  expect(sumMetrics([textOf(2, 4, 1), ended])).toBe(sumMetrics([textOf(3, 4, 1)]));
});

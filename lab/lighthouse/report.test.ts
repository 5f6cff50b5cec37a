import { expect, test } from 'vitest';
import type { Audit } from './audit.ts';
import { writeReport } from './report.ts';

const auditOf = (performance: number, failures: string[] = []): Audit => ({
  scores: { performance, accessibility: 100, 'best-practices': 100, seo: 92 },
  lcpMs: 2149,
  tbtMs: 12.4,
  cls: 0,
  bytes: { Document: 2000, Script: 73_000, Stylesheet: 5000, Font: 31_000, Image: 12_000, Fetch: 4000 },
  failures,
});

test('a row has the medians with their range, and names the audits that failed', () => {
  const audits = [auditOf(91), auditOf(99, ['robots-txt']), auditOf(98)];
  const report = writeReport({
    machine: 'A machine.',
    measured: [{ screen: 'home', shelf: '10000', device: 'mobile', audits }],
    purchases: [{ shelf: '10000', purchases: [{ checkoutMs: 40.4, ordersMs: 70 }] }],
  });

  expect(report).toContain(
    '| home | 10,000 | 98 (91 to 99) | 100 | 100 | 92; robots-txt | 2.1 s | 12 ms | 0.000 |',
  );
  expect(report).toContain('| home | 10,000 | mobile | 2.0 | 73.0 | 5.0 | 31.0 | 12.0 | 4.0 | 127.0 |');
  expect(report).toContain('| 10,000 | 40 ms | 70 ms |');
});

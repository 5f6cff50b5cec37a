/** One screen under Lighthouse. */

import lighthouse, { desktopConfig } from 'lighthouse';

export const devices = ['mobile', 'desktop'] as const;
export type Device = (typeof devices)[number];

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof categories)[number];

/** Kinds of files, as Lighthouse names them. */
export const kinds = ['Document', 'Script', 'Stylesheet', 'Font', 'Image', 'Fetch'] as const;
export type Kind = (typeof kinds)[number];

export type Audit = {
  /** From 0 to 100. */
  scores: Record<Category, number>;
  lcpMs: number;
  tbtMs: number;
  cls: number;
  /** As transferred. */
  bytes: Record<Kind, number>;
  /** The audits of accessibility, best practices and SEO that failed. */
  failures: string[];
};

/**
 * @param address of the page.
 * @param port of the browser's debugger.
 * @throws when Lighthouse cannot measure the page.
 */
export async function audit(address: string, device: Device, port: number): Promise<Audit> {
  const lhr = await measure(address, device, port);
  const value = (id: string): number => lhr.audits[id]?.numericValue ?? Number.NaN;
  const score = (category: Category): number => Math.round((lhr.categories[category]?.score ?? 0) * 100);
  const failed = categories
    .filter((category) => category !== 'performance')
    .flatMap((category) => lhr.categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 1);
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    lcpMs: value('largest-contentful-paint'),
    tbtMs: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    bytes: bytesByKind(lhr.audits['network-requests']?.details),
    failures: failed.map(({ id }) => id),
  };
}

/** Lighthouse sometimes loses the beginning of its trace, and then asks to be run again. */
const attempts = 3;

async function measure(address: string, device: Device, port: number) {
  let failure = '';
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const result = await lighthouse(
      address,
      { port, output: 'json', logLevel: 'error', onlyCategories: [...categories] },
      device === 'desktop' ? desktopConfig : undefined,
    );
    if (result && !result.lhr.runtimeError) return result.lhr;
    failure = result?.lhr.runtimeError?.message ?? 'no result';
  }
  throw new Error(`${address} could not be measured: ${failure}`);
}

function bytesByKind(details: unknown): Record<Kind, number> {
  const bytes: Record<Kind, number> = { Document: 0, Script: 0, Stylesheet: 0, Font: 0, Image: 0, Fetch: 0 };
  const items = details && typeof details === 'object' && 'items' in details ? details.items : [];
  for (const { resourceType, transferSize } of Array.isArray(items) ? items : []) {
    const kind = kinds.find((one) => one === resourceType);
    if (kind) bytes[kind] += Number(transferSize);
  }
  return bytes;
}

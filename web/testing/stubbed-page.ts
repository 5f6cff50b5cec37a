/** The globals of a page of the store, for tests in Node. */

import { vi } from 'vitest';
import type { StoreConfig } from '../../contract/store-config.ts';

/** The parts of a page that React needs even if it adds nothing to the page. */
const listens = { addEventListener() {}, removeEventListener() {} };
export const emptyElement = (): Element => {
  const ownerDocument = { nodeType: 9, defaultView: window, activeElement: null, ...listens };
  return { nodeType: 1, nodeName: 'DIV', tagName: 'DIV', ownerDocument, ...listens } as unknown as Element;
};

/** A response of the store, chosen by the test. */
export const problemResponse = (status: number, code: string): Response =>
  Response.json({ code }, { status, headers: { 'content-type': 'application/problem+json' } });

/** @returns the page's `fetch`, whose responses the test chooses. Import modules that read the page's configuration after this call. */
export function stubPage(config: Partial<StoreConfig> = {}) {
  // Test files share a worker: an earlier file may have imported these modules without a page.
  vi.resetModules();
  const fetchStub = vi.fn<typeof fetch>();
  const storeConfig = {
    name: 'Colophon',
    providerName: 'us',
    apiHost: '',
    timeZone: 'UTC',
    currency: 'USD',
    imageHost: { url: '/1/upload' },
    ...config,
  };
  vi.stubGlobal('window', { location: { origin: 'https://shop.example' }, HTMLIFrameElement: class {} });
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(storeConfig) }) });
  vi.stubGlobal('fetch', fetchStub);
  return fetchStub;
}

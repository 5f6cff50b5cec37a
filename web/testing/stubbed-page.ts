/** For tests in Node: the globals of a page of the store. */

import { vi } from 'vitest';
import type { StoreConfig } from '../../contract/store-config.ts';

/** What React needs of a page to which it adds nothing. */
const listens = { addEventListener() {}, removeEventListener() {} };
export const emptyElement = (): Element => {
  const ownerDocument = { nodeType: 9, defaultView: window, activeElement: null, ...listens };
  return { nodeType: 1, nodeName: 'DIV', tagName: 'DIV', ownerDocument, ...listens } as unknown as Element;
};

/** A response that the store would send. */
export const problemResponse = (status: number, code: string): Response =>
  Response.json({ code }, { status, headers: { 'content-type': 'application/problem+json' } });

/** @returns the page's `fetch`, whose responses the test chooses. Import what reads the page's configuration after it. */
export function stubPage(config: Partial<StoreConfig> = {}) {
  // Files of tests share a worker: one may have imported them where there is no page.
  vi.resetModules();
  const fetchStub = vi.fn<typeof fetch>();
  const storeConfig = {
    name: 'Colophon',
    providerName: 'us',
    apiHost: '',
    timeZone: 'UTC',
    imageHost: { url: '/1/upload' },
    ...config,
  };
  vi.stubGlobal('window', { location: { origin: 'https://shop.example' }, HTMLIFrameElement: class {} });
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(storeConfig) }) });
  vi.stubGlobal('fetch', fetchStub);
  return fetchStub;
}

/** For tests in Node: the globals of a page of the store. */

import { vi } from 'vitest';

/** @returns the page's `fetch`, whose responses the test chooses. Import what reads the page's configuration after it. */
export function stubPage() {
  const fetchStub = vi.fn<typeof fetch>();
  const storeConfig = {
    name: 'Colophon',
    providerName: 'us',
    apiHost: '',
    timeZone: 'UTC',
    imageHost: { url: '/1/upload' },
  };
  vi.stubGlobal('window', { location: { origin: 'https://shop.example' } });
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(storeConfig) }) });
  vi.stubGlobal('fetch', fetchStub);
  return fetchStub;
}

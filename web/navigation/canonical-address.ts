import { useEffect } from 'react';
import { screens } from '../../contract/paths.ts';

/**
 * Keeps the page's canonical address, which browsers share and search engines list, that of the screen at this path. The
 * server wrote the one that the page was opened with; a page without one keeps none. The login keeps the address of the
 * screen that it leads back to.
 */
export const useCanonicalAddress = (path: string): void => {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
    if (!link || path === screens.login) return;
    const address = path === screens.homeAlias ? screens.home : path;
    // The server's has the public address of the store, which may be another than that of this page.
    if (new URL(link.href).pathname !== address) link.href = new URL(address, link.href).href;
  }, [path]);
};

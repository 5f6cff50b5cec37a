import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { whenIdle } from '../memory/platform.ts';
import styleSheet from '../styles/fonts-of-other-scripts.css?url';

/**
 * Adds the fonts of other scripts than the Latin one, once, when a screen that needs them has its data. A phone that fetched
 * them earlier would show the first cover a quarter of a second later, and lays out all text anew when they are added.
 */
export const FontsOfOtherScripts = () => {
  const queries = useQueryClient().getQueryCache().getAll().length;
  // The first one is the session. Between its response and the next request the screen's code is loaded.
  const isReady = useIsFetching() === 0 && queries > 1;
  useEffect(() => {
    return isReady ? whenIdle(addStyleSheet) : undefined;
  }, [isReady]);
  return null;
};

/** The letters of Latin-ext, Greek and Cyrillic, and №. */
const otherScripts = /[\u0100-\u04ff\u1e00-\u1eff\u2116]/;

const addStyleSheet = () => {
  if (!otherScripts.test(document.getElementById('root')?.textContent ?? '')) return;
  if (document.querySelector(`link[href="${styleSheet}"]`)) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = styleSheet;
  document.head.append(link);
};

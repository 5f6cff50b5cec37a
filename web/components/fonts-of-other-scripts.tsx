import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import styleSheet from '../styles/fonts-of-other-scripts.css?url';
import { useWhenIdle } from './when-idle.ts';

/**
 * Adds the fonts of other scripts than the Latin one, once, when the first screen has its data. A phone that fetched them
 * earlier would show the first cover a quarter of a second later.
 */
export const FontsOfOtherScripts = () => {
  const queries = useQueryClient().getQueryCache().getAll().length;
  // The first one is the session. Between its response and the next request the screen's code is loaded.
  useWhenIdle(useIsFetching() === 0 && queries > 1, addStyleSheet);
  return null;
};

const link = document.createElement('link');
link.rel = 'stylesheet';
link.href = styleSheet;

const addStyleSheet = () => {
  if (!link.isConnected) document.head.append(link);
};

/** The responses with which the server has painted the first screen. The queries of that screen begin with them. */

import { useSyncExternalStore } from 'react';
import { type PageResponses, type PaintedScreen, paintedScreenId } from '../../contract/rendered-page.ts';

let responses: PageResponses = {};
let readAtMs = 0;

/** @returns the responses that the server has written into the page; undefined if it has painted no screen. */
export const readPaintedScreen = (): PaintedScreen | undefined => {
  const block = document.getElementById(paintedScreenId)?.textContent;
  return block ? JSON.parse(block) : undefined;
};

/** Call this function before the screen is rendered. @param isOld true if the responses may be hours old. */
export const beginPainting = (painted: PageResponses, isOld = false): void => {
  responses = painted;
  readAtMs = isOld ? 0 : Date.now();
};

/** Call this function once the screen is rendered: from then on every response is that of a call. */
export const endPainting = (): void => {
  responses = {};
};

/** Options of a query whose first response may be in the page. */
export const fromPage = <Response>(find: (responses: PageResponses) => Response | undefined) => ({
  initialData: () => find(responses),
  initialDataUpdatedAt: () => readAtMs,
});

const isNotPainted = () => false;
/** @returns true on the server, and in the browser while React takes over what the server has painted. */
export const useIsPainted = (): boolean =>
  useSyncExternalStore(
    () => isNotPainted,
    isNotPainted,
    () => true,
  );

/** The responses with which the server has painted the first screen. The queries of that screen begin with them. */

import { type PageResponses, type PaintedScreen, paintedScreenId } from '../../contract/rendered-page.ts';

let responses: PageResponses = {};
let readAtMs = 0;

/** @returns what the server has written into the page; undefined where it has painted nothing. */
export const readPaintedScreen = (): PaintedScreen | undefined => {
  const block = document.getElementById(paintedScreenId)?.textContent;
  return block ? JSON.parse(block) : undefined;
};

/** Call it before the screen is rendered. @param isOld the responses may be from hours ago. */
export const beginPainting = (painted: PageResponses, isOld = false): void => {
  responses = painted;
  readAtMs = isOld ? 0 : Date.now();
};

/** Call it when the screen has been rendered: from then on every response is that of a call. */
export const endPainting = (): void => {
  responses = {};
};

/** Options of a query whose first response may be in the page. */
export const fromPage = <Response>(find: (responses: PageResponses) => Response | undefined) => ({
  initialData: () => find(responses),
  initialDataUpdatedAt: () => readAtMs,
});

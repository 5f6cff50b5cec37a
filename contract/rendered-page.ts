/** The agreement of the server and the renderer, the file of the pages' build that paints the first screen. */

import type { BookInStock } from './book.ts';
import type { Front } from './shop-front.ts';
import type { StoreConfig } from './store-config.ts';

/** Responses of the store that a screen is painted with, as the calls of the browser would get them. */
export type PageResponses = {
  /** That of `GET /front`. */
  front?: Front;
  /** That of `GET /book/{id}`, for the page of this book. */
  book?: BookInStock;
};

/** The JSON block of a painted page, from which the browser makes the screen as it was painted. */
export type PaintedScreen = {
  /** The screen's chunk of code; none where the first script has the screen. */
  chunk?: string;
  responses: PageResponses;
};

/** The id of that block. */
export const paintedScreenId = 'painted-screen';

export type PageToRender = {
  /** As in the address: percent-encoded. */
  path: string;
  /** The query of the address, without `?`. */
  search: string;
  responses: PageResponses;
  storeConfig: StoreConfig;
};

export type RenderedPage = {
  /** The HTML of the element with the id "root". */
  root: string;
  /** HTML for the head: the files of the screen's chunk. */
  head: string;
  /** For the JSON block. */
  screen: PaintedScreen;
};

/** The export `render` of the renderer. @throws what a screen throws. */
export type RenderPage = (page: PageToRender) => RenderedPage;

/** The renderer's file, in the folder of the built pages. */
export const rendererFile = 'render.mjs';

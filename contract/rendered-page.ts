/** The agreement between the server and the renderer, a file of the pages' build that paints the first screen. */

import type { Book, BookInStock, BooksBeside } from './book.ts';
import type { Front } from './shop-front.ts';
import type { StoreConfig } from './store-config.ts';
import type { Way } from './ways.ts';

/** The responses with which the server renders a screen, the same that the browser's calls would get. */
export type PageResponses = {
  front?: Front;
  book?: BookInStock;
  ways?: Way[];
  beside?: BooksBeside | undefined;
  /** The first page of the list at this address of the API, and the address of the next one. */
  list?: { address: string; body: Book[]; next: string | undefined; headers: Record<string, string> };
};

/** The JSON block of a painted page, from which the browser makes the screen as it was painted. */
export type PaintedScreen = {
  /** The screen's chunk of code; undefined if the first script contains the screen. */
  chunk?: string;
  responses: PageResponses;
};

export const paintedScreenId = 'painted-screen';

/** `path` is percent-encoded, `search` without `?`. */
export type PageToRender = {
  path: string;
  search: string;
  responses: PageResponses;
  storeConfig: StoreConfig;
};

/** `root`: the HTML of the element with this id; `head`: HTML that loads the screen's files. */
export type RenderedPage = { root: string; head: string; screen: PaintedScreen };

export type RenderPage = (page: PageToRender) => RenderedPage;

export const rendererFile = 'render.mjs';

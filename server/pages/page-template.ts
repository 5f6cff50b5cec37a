/** The built page, and where the server writes into it: the configuration, the head of an address, and its screen. */

import { paintedScreenId, type RenderedPage } from '../../contract/rendered-page.ts';
import type { StoreConfig } from '../../contract/store-config.ts';
import { jsonForScript } from '../http/escape-html.ts';

export type PageContent = {
  head: string;
  /** HTML in place of the app. */
  body?: string;
  /** The screen is painted as it waits for the session, and the app renders it anew. */
  needsSession?: true;
};

/** HTML of every page: what stands below its screen, and what a browser without JavaScript reads there. */
export type PageFrame = { foot: string; noScript: string };

type PageTemplate = (content: PageContent, rendered?: RenderedPage) => string;

/** The places of the built page, which web/index.html has. */
const configStart = '<script type="application/json" id="store-config">';
const titlePlace = '<title></title>';
const rootStart = '<div id="root">';
const noScriptPlace = '<noscript></noscript>';
const headEnd = '</head>';
/** In a painted page the font would take the network from the style sheets, with which its text is painted in another font first. */
const fontMark = '<!--font-->';
const scripts = /<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g;

/** @throws when the built page lacks a place. */
export function pageTemplate(html: string, config: StoreConfig, frame: PageFrame): PageTemplate {
  for (const place of [configStart, titlePlace, rootStart, noScriptPlace, headEnd])
    if (!html.includes(place)) throw new Error(`the built page has no ${place}`);
  // Functions, because a text may have `$&`, which stands for what is replaced.
  const withConfig = (text: string) => text.replace(configStart, (start) => start + jsonForScript(config));
  const [start = '', font = '', end = ''] = html.split(fontMark);
  const page = withConfig(start + font + end);
  const paintedPage = withConfig(start + end);
  return ({ head, body, needsSession }, rendered) => {
    const text = (rendered ? paintedPage : page)
      .replace(titlePlace, () => head)
      .replace(noScriptPlace, () => (body ? '' : `<noscript>${frame.noScript}</noscript>`) + frame.foot);
    if (body) return text.replace(scripts, '').replace(rootStart, () => rootStart + body);
    if (!rendered) return text;
    const screen = needsSession ? '' : screenBlock(rendered.screen);
    return text
      .replace('<noscript>', () => `${screen}\n    <noscript>`)
      .replace(headEnd, () => `  ${rendered.head}\n  ${headEnd}`)
      .replace(rootStart, () => rootStart + rendered.root);
  };
}

const screenBlock = (screen: RenderedPage['screen']): string =>
  `<script type="application/json" id="${paintedScreenId}">${jsonForScript(screen)}</script>`;

/** The built page with its placeholders, which the server fills: the configuration, the head of an address, and its screen. */

import { paintedScreenId, type RenderedPage } from '../../contract/rendered-page.ts';
import type { StoreConfig } from '../../contract/store-config.ts';
import { jsonForScript } from '../http/escape-html.ts';

export type PageContent = {
  head: string;
  /** The HTML of the screen, in place of the app; empty for the app without a painted screen. */
  body?: string;
  /** True if the screen was painted as it waits for the session: then the app renders it anew. */
  needsSession?: true;
};

/** The HTML below each screen, which a browser without JavaScript also shows. */
type PageFrame = { foot: string; noScript: string };

type PageTemplate = (content: PageContent, frame: PageFrame, rendered?: RenderedPage) => string;

/** The placeholders of the built page, from web/index.html. */
const configStart = '<script type="application/json" id="store-config">';
const titlePlace = '<title></title>';
const rootStart = '<div id="root">';
const noScriptPlace = '<noscript></noscript>';
const headEnd = '</head>';
/** In a painted page, the font's preload would delay the style sheets. The text is first painted in another font anyway. */
const fontMark = '<!--font-->';
const scripts = /<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g;

/** @throws if the built page lacks a placeholder. */
export function pageTemplate(html: string, config: StoreConfig): PageTemplate {
  for (const place of [configStart, titlePlace, rootStart, noScriptPlace, headEnd])
    if (!html.includes(place)) throw new Error(`the built page has no ${place}`);
  // The replacements are functions, because `$&` in a text would stand for the replaced part.
  const withConfig = (text: string) => text.replace(configStart, (start) => start + jsonForScript(config));
  const [start = '', font = '', end = ''] = html.split(fontMark);
  const page = withConfig(start + font + end);
  const paintedPage = withConfig(start + end);
  return ({ head, body, needsSession }, frame, rendered) => {
    const text = (rendered ? paintedPage : page)
      .replace(titlePlace, () => head)
      .replace(noScriptPlace, () => (body ? '' : `<noscript>${frame.noScript}</noscript>`) + frame.foot);
    if (body) return text.replace(scripts, '').replace(rootStart, () => rootStart + body);
    if (!rendered) return text;
    const screen = needsSession ? '' : screenBlock(rendered.screen);
    const painted = text
      .replace(headEnd, () => `  ${rendered.head}\n  ${headEnd}`)
      .replace(rootStart, () => rootStart + rendered.root);
    // A browser requests the pictures of the screen before scripts that come after it.
    const last = [screen, ...(painted.match(scripts) ?? [])].join('\n    ');
    return painted.replace(scripts, '').replace('<noscript>', () => `${last}\n    <noscript>`);
  };
}

const screenBlock = (screen: RenderedPage['screen']): string =>
  `<script type="application/json" id="${paintedScreenId}">${jsonForScript(screen)}</script>`;

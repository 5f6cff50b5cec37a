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

const configBlock = /(<script type="application\/json" id="store-config">)[^<]*(<\/script>)/;
const titleElement = /<title>[^<]*<\/title>/;
const noScriptElement = '<noscript></noscript>';
const rootElement = '<div id="root"></div>';
const fontPreload = /\n\s*<link rel="preload"[^>]*as="font"[^>]*>/;
const scripts = /<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g;

/** @throws when the built page lacks a place. */
export function pageTemplate(html: string, config: StoreConfig, frame: PageFrame): PageTemplate {
  for (const place of [configBlock, titleElement, noScriptElement])
    if (html.search(place) === -1) throw new Error(`the built page has no ${place}`);
  // Functions, because a text may have `$&`, which stands for what is replaced.
  const page = html.replace(
    configBlock,
    (_all, start: string, end: string) => start + jsonForScript(config) + end,
  );
  return ({ head, body, needsSession }, rendered) => {
    const text = page
      .replace(titleElement, () => head)
      .replace(noScriptElement, () => (body ?? `<noscript>${frame.noScript}</noscript>`) + frame.foot);
    if (body !== undefined) return text.replace(scripts, '');
    if (!rendered) return text;
    const screen = needsSession ? '' : `\n    ${screenBlock(rendered.screen)}`;
    return painted(text, rendered.head, `${rendered.root}</div>${screen}`);
  };
}

/** @param files the files and calls of the screen, for which the browser asks before its script does. */
const painted = (page: string, files: string, screen: string): string =>
  page
    .replace('</head>', () => `  ${files}\n  </head>`)
    // It would take the network from the style sheets, with which its text is painted in another font first.
    .replace(fontPreload, '')
    // The painted screen needs the style sheets and the covers first.
    .replace(scripts, (element) => element.replace(' crossorigin', ' fetchpriority="low" crossorigin'))
    .replace(rootElement, () => `<div id="root">${screen}`);

const screenBlock = (screen: RenderedPage['screen']): string =>
  `<script type="application/json" id="${paintedScreenId}">${jsonForScript(screen)}</script>`;

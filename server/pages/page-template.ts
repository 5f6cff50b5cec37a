/** The built page, and where the server writes into it: the configuration, the head of an address, its screen, and the page without scripts. */

import { paintedScreenId, type RenderedPage } from '../../contract/rendered-page.ts';
import type { StoreConfig } from '../../contract/store-config.ts';
import { jsonForScript } from '../http/escape-html.ts';

/** HTML that differs from address to address. */
export type PageContent = {
  /** The elements of the head that describe the page, the title first. */
  head: string;
  /** A browser without JavaScript shows it. */
  noScript: string;
  /** A browser without JavaScript shows it below the painted screen. A screen without it needs a session, and is painted as it waits for that. */
  noScriptBelow?: string;
  /** Every browser shows the text of `noScript`, and the page runs no app. */
  isStatic?: true;
};

/** @returns the page with this content, painted with its screen where that was rendered. */
type PageTemplate = (content: PageContent, rendered?: RenderedPage) => string;

const configBlock = /(<script type="application\/json" id="store-config">)[^<]*(<\/script>)/;
const titleElement = /<title>[^<]*<\/title>/;
const noScriptElement = /<noscript>[\s\S]*?<\/noscript>/;
const rootElement = '<div id="root"></div>';
const endOfHead = '</head>';

const fontPreload = /\n\s*<link rel="preload"[^>]*as="font"[^>]*>/;

/** The elements that start the app. */
const scripts = /<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g;

/**
 * @param html the built page.
 * @param foot HTML below every screen.
 * @throws when the page has no block for the configuration, no title, or no `noscript` element after them.
 */
export function pageTemplate(html: string, config: StoreConfig, foot: string): PageTemplate {
  if (!configBlock.test(html)) throw new Error('the built page has no block with the id "store-config"');
  const configured = html.replace(
    configBlock,
    (_all, start: string, end: string) => start + jsonForScript(config) + end,
  );
  const [beforeTitle, afterTitle, ...otherTitles] = configured.split(titleElement);
  const [beforeNoScript, afterNoScript, ...others] = afterTitle?.split(noScriptElement) ?? [];
  if (afterNoScript === undefined || otherTitles.length + others.length > 0) {
    throw new Error('the built page has not one title and, after it, one noscript element');
  }
  const page = (head: string, body: string) =>
    `${beforeTitle}${head}${beforeNoScript}${body}${foot}${afterNoScript}`;
  const paintedPage = (head: string, { root, head: files, screen }: RenderedPage, noScript: string) => {
    const before = painted(beforeNoScript ?? '', files, `${root}</div>\n    ${screenBlock(screen)}`);
    return `${beforeTitle}${head}${before}<noscript>${noScript}</noscript>${foot}${afterNoScript}`;
  };
  return ({ head, noScript, noScriptBelow, isStatic }, rendered) => {
    if (isStatic) return page(head, noScript).replace(scripts, '');
    if (rendered && noScriptBelow !== undefined) return paintedPage(head, rendered, noScriptBelow);
    const unpainted = page(head, `<noscript>${noScript}</noscript>`);
    // It shows how its screen waits for the session, until the app renders it anew.
    return rendered ? painted(unpainted, rendered.head, `${rendered.root}</div>`) : unpainted;
  };
}

/** @param files the files and calls of the screen, for which the browser asks before its script does. */
const painted = (html: string, files: string, screen: string): string =>
  html
    // Functions, because a text may have `$&`, which stands for what is replaced.
    .replace(endOfHead, () => `  ${files}\n  ${endOfHead}`)
    // It would take the network from the style sheets, with which its text is painted in another font first.
    .replace(fontPreload, '')
    // The painted screen needs the style sheets and the covers first.
    .replace(scripts, (element) => element.replace(' crossorigin', ' fetchpriority="low" crossorigin'))
    .replace(rootElement, () => `<div id="root">${screen}`);

const screenBlock = (screen: RenderedPage['screen']): string =>
  `<script type="application/json" id="${paintedScreenId}">${jsonForScript(screen)}</script>`;

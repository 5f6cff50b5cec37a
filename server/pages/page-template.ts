/** The built page, and where the server writes into it: the configuration, the head of an address, and the page without scripts. */

import type { StoreConfig } from '../../contract/store-config.ts';
import { jsonForScript } from '../http/escape-html.ts';

/** HTML that differs from address to address. */
export type PageContent = {
  /** The elements of the head that describe the page, the title first. */
  head: string;
  /** A browser without JavaScript shows it. */
  noScript: string;
  /** Every browser shows the text of `noScript`, and the page runs no app. */
  isStatic?: true;
};

/** @returns the page with this content. */
type PageTemplate = (content: PageContent) => string;

const configBlock = /(<script type="application\/json" id="store-config">)[^<]*(<\/script>)/;
const titleElement = /<title>[^<]*<\/title>/;
const noScriptElement = /<noscript>[\s\S]*?<\/noscript>/;

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
  return ({ head, noScript, isStatic }) =>
    isStatic ? page(head, noScript).replace(scripts, '') : page(head, `<noscript>${noScript}</noscript>`);
}

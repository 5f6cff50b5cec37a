/** The built page, and where the server writes into it: the configuration, the head of an address, and the page without scripts. */

import type { StoreConfig } from '../../contract/store-config.ts';
import { jsonForScript } from '../http/escape-html.ts';

/** HTML that differs from address to address. */
export type PageContent = {
  /** The elements of the head that describe the page, the title first. */
  head: string;
  /** A browser without JavaScript shows it. */
  noScript: string;
};

/** @returns the page with this content. */
type PageTemplate = (content: PageContent) => string;

const configBlock = /(<script type="application\/json" id="store-config">)[^<]*(<\/script>)/;
const titleElement = /<title>[^<]*<\/title>/;
const noScriptElement = /<noscript>[\s\S]*?<\/noscript>/;

/**
 * @param html the built page.
 * @throws when the page has no block for the configuration, no title, or no `noscript` element after them.
 */
export function pageTemplate(html: string, config: StoreConfig): PageTemplate {
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
  return ({ head, noScript }) =>
    `${beforeTitle}${head}${beforeNoScript}<noscript>${noScript}</noscript>${afterNoScript}`;
}

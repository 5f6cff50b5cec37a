/** The Markdown of the shop's pages as HTML. HTML in it is text, of an image its words stay, and links lead to http, https, mailto and the shop alone. */

import MarkdownIt from 'markdown-it';
import { tidyText } from '../../contract/pasted-text.ts';

// Line breaks stay: an owner writes an address in lines.
const markdownIt = new MarkdownIt('default', { html: false, breaks: true });
const { rules } = markdownIt.renderer;
rules['image'] = (tokens, at) => markdownIt.utils.escapeHtml(tokens[at]?.content ?? '');
// On a phone a table may be wider than the page: then it scrolls, for which a keyboard needs its focus.
rules['table_open'] = (tokens, at, options, _env, renderer) =>
  `<div tabindex="0">${renderer.renderToken(tokens, at, options)}`;
rules['table_close'] = () => '</table></div>\n';
// Browsers read a backslash as a slash: after the first slash, either would begin the name of another server.
markdownIt.validateLink = (address) => /^(?:(?:https?|mailto):|\/(?!\/|\\|%5C))/i.test(address);

/**
 * The first heading is the title, and the only one of its level. The others are below it, and none leaves out a level, which would confuse
 * readers who go from heading to heading. @returns an empty title for a text without a heading.
 */
export function renderPage(markdown: string): { title: string; html: string } {
  const tokens = markdownIt.parse(markdown, {});
  let title = '';
  let level = 1;
  for (const [at, token] of tokens.entries()) {
    const isTitle = token.type === 'heading_open' && token.level === 0 && title === '';
    if (isTitle) {
      const parts = tokens[at + 1]?.children ?? [];
      title = tidyText(parts.map(({ type, content }) => (type.endsWith('break') ? ' ' : content)).join(''));
      level = 1;
    } else if (token.type === 'heading_open') {
      level = Math.min(Math.max(2, Number(token.tag.slice(1))), level + 1);
    }
    if (token.type.startsWith('heading_')) token.tag = `h${level}`;
    // A page may have several languages, which are written in different directions.
    if (token.level === 0 && token.nesting === 1) token.attrSet('dir', 'auto');
  }
  return { title, html: markdownIt.renderer.render(tokens, markdownIt.options, {}) };
}

/** The elements of a page's head that describe it, to browsers before the app runs and to programs that run no scripts. */

import { escapeHtml, jsonForScript } from '../http/escape-html.ts';

export type PageHead = {
  title: string;
  description: string;
  isListed: boolean;
  shared?: {
    /** The absolute canonical address, without the query of the request. */
    canonical: string;
    title: string;
    type: 'book' | 'website';
    /** The size is 1200 by 630. */
    image: { address: string; alt: string };
    siteName: string;
    data: Readonly<Record<string, unknown>>;
  };
};

export function renderHead({ title, description, isListed, shared }: PageHead): string {
  return [
    `<title>${escapeHtml(plainLine(title))}</title>`,
    named('description', description),
    ...(isListed ? [] : [named('robots', 'noindex')]),
    ...(shared ? sharedElements(shared, description) : []),
  ].join('\n    ');
}

function sharedElements(shared: NonNullable<PageHead['shared']>, description: string): string[] {
  const { canonical, title, type, image, siteName, data } = shared;
  return [
    `<link rel="canonical" href="${escapeHtml(canonical)}" />`,
    property('og:type', type),
    property('og:site_name', siteName),
    property('og:title', title),
    property('og:description', description),
    property('og:url', canonical),
    property('og:image', image.address),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:image:alt', image.alt),
    // Twitter reads the rest from the tags above.
    named('twitter:card', 'summary_large_image'),
    `<script type="application/ld+json">${jsonForScript({ '@context': 'https://schema.org', ...data })}</script>`,
  ];
}

const named = (name: string, content: string, attribute = 'name'): string =>
  `<meta ${attribute}="${name}" content="${escapeHtml(plainLine(content))}" />`;

/** The name of a property of the Open Graph protocol (https://ogp.me). */
const property = (name: string, content: string): string => named(name, content, 'property');

/** Makes a text one line, without characters that set the writing direction: other sites show these texts beside their own. */
export const plainLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = Array.from(letters.segment(text), ({ segment }) => segment);
  if (kept.length <= max) return text;
  const start = kept.slice(0, max - 1).join('');
  return `${start.trimEnd()}…`;
}

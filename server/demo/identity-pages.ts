/** The demo provider's pages: plain HTML without scripts, with one style sheet and one logo. */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from '../http/escape-html.ts';
import { demoPeople, type Person, type TypedPerson } from './identity-people.ts';

const readBeside = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

const logo = readBeside('identity-logo.svg').trim();
const logoPath = '/logo.svg';
/** In the shop's colours and sizes: the demo runs where the shop's own sources are. */
const styleSheet = readBeside('../../web/styles/tokens.css') + readBeside('identity-pages.css');
/** The name changes with the content, so that browsers can cache the file. */
const styleSheetPath = `/demo-${hash('sha256', styleSheet).slice(0, 12)}.css`;

/** The files that the pages link to, by path. */
export const pageFiles: ReadonlyMap<string, { type: 'css' | 'svg'; body: string }> = new Map([
  [styleSheetPath, { type: 'css', body: styleSheet }],
  [logoPath, { type: 'svg', body: logo }],
]);

/**
 * @returns the headers of every page.
 * @param storeOrigin for form-action, which Chromium applies to the redirect after a post, too: it leads to the store, of which
 * each node has another port.
 */
export const pageHeaders = (storeOrigin: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action 'self' ${storeOrigin.replace(/^(http:\/\/[^:]+|http:\/\/\[.*\])(:\d+)?$/, '$1:*')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // As many real providers send it: the store's sign-in must work in a popup that has lost its opener.
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

/** The store that the visitor signs in to: its name, and the origin for a link back. */
export type Store = { storeName: string; storeOrigin: string };

/**
 * @param path the address that the forms post to. With `/cancel` at its end it cancels the sign-in.
 * @param typed the input that was rejected, if any.
 * @returns the page on which the visitor chooses a person, as HTML.
 */
export function chooserPage({ storeName }: Store, path: string, typed?: TypedPerson): string {
  const heading = `Sign in to ${storeName}`;
  const action = escapeHtml(path);
  return page(
    heading,
    `<p class="notice">Demo identity provider — for trying the store out; no password is asked</p>
<form class="people" method="post" action="${action}">
${demoPeople.map(personButton).join('\n')}
</form>
<p class="divider"><span>or as someone else</span></p>
<form class="typed" method="post" action="${action}" novalidate>
${field('name', 'Name', 'type="text" autocomplete="name"', typed)}
${field('email', 'Email', 'type="email" autocomplete="email" spellcheck="false"', typed)}
<div class="actions">
<button class="primary" type="submit">Continue</button>
<button class="quiet" type="submit" formaction="${action}/cancel">Cancel</button>
</div>
</form>`,
    typed && `Check what you typed – ${heading}`,
  );
}

/** @returns a page with a message and a link to the store, as HTML. */
export const messagePage = ({ storeName, storeOrigin }: Store, heading: string, message: string): string =>
  page(
    heading,
    `<p class="message">${escapeHtml(message)}</p>
<p><a class="primary" href="${escapeHtml(storeOrigin)}">Go to ${escapeHtml(storeName)}</a></p>`,
  );

function personButton({ name, email }: Person): string {
  const initials = name.replace(/(\S)\S*\s*/g, '$1');
  return `<button type="submit" name="person" value="${escapeHtml(email)}">
<span class="initials" aria-hidden="true">${escapeHtml(initials)}</span>
<span class="who"><span class="name">${escapeHtml(name)}</span> <span class="email">${escapeHtml(email)}</span></span>
</button>`;
}

function field(name: keyof Person, label: string, attributes: string, typed?: TypedPerson): string {
  const fault = typed?.faults[name];
  const isFirstFault = typed && name === Object.keys(typed.faults)[0];
  const state = fault === undefined ? '' : ` aria-invalid="true" aria-describedby="${name}-fault"`;
  return `<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes} required value="${escapeHtml(typed?.[name] ?? '')}"${state}${isFirstFault ? ' autofocus' : ''}>
${fault === undefined ? '' : `<p class="fault" id="${name}-fault">${escapeHtml(fault)}</p>`}
</div>`;
}

/** @param body HTML. The other parameters are text, which is escaped here. */
const page = (heading: string, body: string, title = heading): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${logoPath}" type="image/svg+xml">
<link rel="stylesheet" href="${styleSheetPath}">
</head>
<body>
<main>
<header>${logo}<h1>${escapeHtml(heading)}</h1></header>
${body}
</main>
</body>
</html>
`;

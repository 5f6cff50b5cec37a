/** The pages of the demo's providers: plain HTML without scripts. */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from '../http/escape-html.ts';
import { demoPeople, type Person, type TypedPerson } from './identity-people.ts';

const logo = readFileSync(join(import.meta.dirname, 'identity-logo.svg'), 'utf8').trim();
const tokens = readFileSync(join(import.meta.dirname, '../../web/styles/tokens.css'), 'utf8');
const style = tokens + readFileSync(join(import.meta.dirname, 'identity-pages.css'), 'utf8');

/** form-action allows every port: Chromium also checks the redirect after a post, which leads to a node of the store on any port. */
export const pageHeaders = (storeOrigin: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    'img-src data:',
    `form-action 'self' ${storeOrigin.replace(/^(http:\/\/[^:]+|http:\/\/\[.*\])(:\d+)?$/, '$1:*')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // Many real providers send this header: the store's sign-in must work in a popup that has lost its opener.
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

export type Store = { storeName: string; storeOrigin: string };

/** @param path the address that the forms post to. @param typed the input that was rejected, if any. */
export function chooserPage({ storeName }: Store, path: string, typed?: TypedPerson): string {
  const heading = `Sign in to ${storeName}`;
  const action = escapeHtml(path);
  return demoPage(
    heading,
    `<p>Demo identity provider — for trying the store out; no password is asked</p>
<form class="people" method="post" action="${action}">
${demoPeople.map(personButton).join('\n')}
</form>
<p>Or as someone else:</p>
<form method="post" action="${action}" novalidate>
${field('name', 'Name', 'type="text" autocomplete="name"', typed)}
${field('email', 'Email', 'type="email" autocomplete="email" spellcheck="false"', typed)}
<div class="actions">
<button class="primary" type="submit">Continue</button>
<button type="submit" formaction="${action}/cancel">Cancel</button>
</div>
</form>`,
    typed && `Check what you typed – ${heading}`,
  );
}

export const messagePage = ({ storeName, storeOrigin }: Store, heading: string, message: string): string =>
  demoPage(
    heading,
    `<p>${escapeHtml(message)}</p>
<p><a href="${escapeHtml(storeOrigin)}">Go to ${escapeHtml(storeName)}</a></p>`,
  );

const personButton = ({ name, email }: Person): string =>
  `<button type="submit" name="person" value="${email}">${name} <small>${email}</small></button>`;

function field(name: keyof Person, label: string, attributes: string, typed?: TypedPerson): string {
  const fault = typed?.faults[name];
  const isFirstFault = typed && name === Object.keys(typed.faults)[0];
  const state = fault === undefined ? '' : ` aria-invalid="true" aria-describedby="${name}-fault"`;
  return `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes} required value="${escapeHtml(typed?.[name] ?? '')}"${state}${isFirstFault ? ' autofocus' : ''}>
${fault === undefined ? '' : `<p class="fault" id="${name}-fault">${escapeHtml(fault)}</p>`}`;
}

/** @param body HTML. The other parameters are text, which is escaped here. */
export const demoPage = (heading: string, body: string, title = heading): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(logo)}">
<style>${style}</style>
<main>
<header>${logo}<h1>${escapeHtml(heading)}</h1></header>
${body}
</main>
</html>
`;

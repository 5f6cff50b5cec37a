/** The demo provider's pages: plain HTML without a script, one style sheet, one mark. */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { demoPeople, type Person, type TypedPerson } from './identity-people.ts';

export const styleSheet = readFileSync(new URL('identity-pages.css', import.meta.url), 'utf8');

/** Named by its content, so that a browser may keep it. */
export const styleSheetPath = `/demo-${hash('sha256', styleSheet).slice(0, 12)}.css`;

export const markPath = '/mark.svg';

export const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">' +
  '<rect width="32" height="32" rx="9" fill="#2f6f6a"/>' +
  '<circle cx="16" cy="12.5" r="4.5" fill="#fff"/>' +
  '<path d="M7.5 25.5a8.5 7.5 0 0 1 17 0z" fill="#fff"/></svg>';

/** @param storeOrigin where the answer is sent: Chromium applies form-action to the redirect after a post, too. */
export const pageHeaders = (storeOrigin: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action 'self' ${storeOrigin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // On purpose, as many real providers do: the store's sign-in has to work without its popup's opener.
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

export type Chooser = {
  storeName: string;
  /** Where the choice is posted; `/cancel` behind it gives up. */
  path: string;
  typed?: TypedPerson;
};

export function chooserPage({ storeName, path, typed }: Chooser): string {
  const heading = `Sign in to ${storeName}`;
  const hasFaults = typed !== undefined && Object.keys(typed.faults).length > 0;
  return page(
    { heading, title: hasFaults ? `Check what you typed – ${heading}` : heading },
    `<p class="notice">Demo identity provider — for trying the store out; no password is asked</p>
<form class="people" method="post" action="${escaped(path)}">
${demoPeople.map(personButton).join('\n')}
</form>
<p class="divider"><span>or as someone else</span></p>
<form class="typed" method="post" action="${escaped(path)}" novalidate>
${field({ name: 'name', label: 'Name', attributes: 'type="text" autocomplete="name"' }, typed)}
${field({ name: 'email', label: 'Email', attributes: 'type="email" autocomplete="email" spellcheck="false"' }, typed)}
<div class="actions">
<button class="primary" type="submit">Continue</button>
<button class="quiet" type="submit" formaction="${escaped(path)}/cancel">Cancel</button>
</div>
</form>`,
  );
}

export const endedPage = (store: Store): string =>
  messagePage(
    'This sign-in has ended',
    'It was finished, given up or left open for too long. You can start again from the store.',
    store,
  );

export type Store = { storeName: string; storeOrigin: string };

export const messagePage = (heading: string, message: string, { storeName, storeOrigin }: Store): string =>
  page(
    { title: heading },
    `<p class="message">${escaped(message)}</p>
<p><a class="primary" href="${escaped(storeOrigin)}">Go to ${escaped(storeName)}</a></p>`,
  );

function personButton({ name, email }: Person): string {
  const initials = name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('');
  return `<button type="submit" name="person" value="${escaped(email)}">
<span class="initials" aria-hidden="true">${escaped(initials)}</span>
<span class="who"><span class="name">${escaped(name)}</span> <span class="email">${escaped(email)}</span></span>
</button>`;
}

type Field = { name: keyof Person; label: string; attributes: string };

function field({ name, label, attributes }: Field, typed: TypedPerson | undefined): string {
  const fault = typed?.faults[name];
  const isFirstFault = fault !== undefined && (name === 'name' || typed?.faults.name === undefined);
  const state = fault === undefined ? '' : ` aria-invalid="true" aria-describedby="${name}-fault"`;
  return `<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes} required value="${escaped(typed?.[name] ?? '')}"${state}${isFirstFault ? ' autofocus' : ''}>
${fault === undefined ? '' : `<p class="fault" id="${name}-fault">${escaped(fault)}</p>`}
</div>`;
}

/** @param body HTML. Everything else that reaches a page is text and escaped. */
const page = (
  { title, heading = title }: { title: string; heading?: string },
  body: string,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="${markPath}" type="image/svg+xml">
<link rel="stylesheet" href="${styleSheetPath}">
</head>
<body>
<main>
<header>${mark}<h1>${escaped(heading)}</h1></header>
${body}
</main>
</body>
</html>
`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);

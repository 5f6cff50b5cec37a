import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Fragment, jsx, jsxs } from './jsx-runtime.ts';

const bold = jsx('b', {});
const Part = ({ children }: { children?: ReactNode }) => jsx('p', { children });

test.each([
  ['texts alone are one', jsxs('p', { children: [2, ' of ', 3, false, ''] }), '<p>2 of 3</p>'],
  ['texts beside an element', jsxs('p', { children: ['a', 0, bold] }), `${text('a', '0')}<b></b>`],
  ['nothing beside an element', jsxs('p', { children: ['', null, undefined, true, bold] }), '<p><b></b>'],
  ['white space beside an element', jsxs('p', { children: [' ', bold] }), '<p> <b></b></p>'],
  ['nothing', jsxs('p', { children: ['', false] }), '<p>'],
  ['a text in a fragment', jsxs('p', { children: [jsx(Fragment, { children: 'a' }), bold] }), text('a')],
  ['texts in a fragment', jsxs(Fragment, { children: ['a', 2] }), '<x-text>a2</x-text>'],
  ['texts of a component', jsxs(Part, { children: ['a', 2] }), '<p>a2</p>'],
  ['texts and elements of a component', jsxs(Part, { children: ['a', bold] }), `${text('a')}<b></b>`],
])('no text stands beside anything else: %s', (_what, element, html) => {
  expect(renderToStaticMarkup(element)).toContain(html);
});

function text(...words: string[]): string {
  return `<p>${words.map((word) => `<x-text>${word}</x-text>`).join('')}`;
}

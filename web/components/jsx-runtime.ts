/**
 * The JSX of the browser app: React's, in which no text stands beside anything else. Browsers that translate a page, and extensions,
 * put other nodes in the place of text. React then fails when it removes the old text node, or puts something before it
 * (facebook/react#11538), and changes a text that nobody sees any more. In an element with text alone React replaces the whole content.
 */
import { type ElementType, Fragment, type Key, type ReactNode } from 'react';
import { jsx as one, jsxs as several } from 'react/jsx-runtime';

export type { JSX } from 'react';
export { Fragment };

/** The element around a text that has siblings. No style uses its name, as one might use `span`. */
const textElement = 'x-text' as ElementType;

const isText = (child: ReactNode) => (typeof child === 'string' && child !== '') || typeof child === 'number';
/** White space is not wrapped: nobody translates it, and a list may only contain its own elements. */
const wrap = (child: ReactNode) =>
  isText(child) && String(child).trim() ? one(textElement, { children: child }) : child;

export const jsx = (type: ElementType, props: { children?: ReactNode }, key?: Key) =>
  // The text of a fragment may have siblings outside the fragment.
  one(type, type === Fragment ? { children: wrap(props.children) } : props, key);

export const jsxs = (type: ElementType, props: { children: ReactNode[] }, key?: Key) => {
  const { children } = props;
  const texts = children.filter(isText);
  if (texts.length === 0) return several(type, props, key);
  const isTextAlone = children.every((child) => isText(child) || !child || child === true);
  if (isTextAlone) return jsx(type, { ...props, children: texts.join('') }, key);
  return several(type, { ...props, children: children.map(wrap) }, key);
};

/** Vitest calls this function. */
export const jsxDEV = (type: ElementType, props: { children: ReactNode[] }, key?: Key, areSeveral = false) =>
  (areSeveral ? jsxs : jsx)(type, props, key);

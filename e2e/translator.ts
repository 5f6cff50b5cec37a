/** Changes the text of a page as translating browsers and extensions do, and reads what the page shows then. */

import type { Page } from '@playwright/test';

/**
 * `fonts`: Google's translator, as its public descriptions say: each text node is replaced by two elements, one in the other, and
 * later ones too. `moved`: the node is removed after its replacement has come. `marked`: words are wrapped, as a dictionary does.
 */
export type Translation = 'fonts' | 'moved' | 'marked';

const script = `{
  const skipped = new Set(['SCRIPT', 'STYLE', 'TEXTAREA', 'NOSCRIPT', 'FONT', 'MARK']);
  const elementWith = (name, ...content) => {
    const element = document.createElement(name);
    element.append(...content);
    return element;
  };
  const inFonts = (text) => elementWith('font', elementWith('font', '«' + text.data + '»'));
  const ways = {
    fonts: (text) => text.parentNode.replaceChild(inFonts(text), text),
    moved: (text) => {
      text.parentNode.insertBefore(inFonts(text), text);
      text.remove();
    },
    marked: (text) => {
      const rest = text.splitText(Math.ceil(text.data.length / 2));
      text.parentNode.insertBefore(elementWith('mark', rest.data), rest);
      rest.remove();
    },
  };
  const textsIn = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return [node];
    if (node.nodeType !== Node.ELEMENT_NODE) return [];
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    return texts;
  };
  globalThis.translate = (way) => {
    const translate = (node) => {
      for (const text of textsIn(node)) {
        if (text.isConnected && text.data.trim() && !skipped.has(text.parentNode.nodeName)) ways[way](text);
      }
    };
    translate(document.body);
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (way !== 'marked' && type === 'characterData') translate(target);
        for (const node of addedNodes) translate(node);
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  };
  const plain = (text) => text.replace(/[«»]/g, '');
  const textOf = (element) => {
    const props = Object.keys(element).find((key) => key.startsWith('__reactProps$'));
    const children = element[props]?.children;
    return typeof children === 'string' || typeof children === 'number' ? String(children) : undefined;
  };
  globalThis.staleTexts = () =>
    [...document.querySelectorAll('#root *')].flatMap((element) => {
      const text = textOf(element);
      const shown = plain(element.textContent);
      return text === undefined || shown === text ? [] : [shown + ' instead of ' + text];
    });
  globalThis.looseTexts = () =>
    textsIn(document.getElementById('root'))
      .filter(({ data, parentNode }) => data.trim() && parentNode.nodeName !== 'TEXTAREA' && textOf(parentNode) === undefined)
      .map((text) => text.parentNode.outerHTML.slice(0, 200));
}`;

/** Call it before the page is opened. */
export const bringTranslator = (page: Page) => page.addInitScript(script);

/** Translates the page, and whatever comes into it later. */
export const translate = (page: Page, way: Translation) => page.evaluate(`translate('${way}')`);

/** @returns the texts that are not what React has rendered last: it has changed a node that is no longer on the page. */
export const staleTexts = (page: Page) => page.evaluate<string[]>('staleTexts()');

/** @returns the elements in which React has rendered a text as a node of its own: see jsx-runtime.ts. */
export const looseTexts = (page: Page) => page.evaluate<string[]>('looseTexts()');

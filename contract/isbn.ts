/** International Standard Book Numbers (ISO 2108). This file has no schemas, because the browser loads it. */

import { tidyValue } from './pasted-text.ts';

/** The longest text: it has room for two ISBNs. */
const maxLength = 100;

/** @param text with hyphens, `ISBN` before it or `(pbk.)` behind it; or the same one in both forms. @returns its 13 digits, if the check digit is right. */
export function readIsbn(text: string): string | undefined {
  const isbns = new Set(numbersIn(text).map(fromDigits));
  return isbns.size === 1 ? [...isbns][0] : undefined;
}

export function reasonAgainstIsbn(text: string): string {
  const numbers = numbersIn(text);
  const [digits = ''] = numbers;
  if (/^\d(?:[.,]\d+)?E\+?\d+$/i.test(tidyValue(text)))
    return 'A spreadsheet has shortened it: make its column one of text.';
  const isbns = new Set(text.split(/[\s,;|/]+/).map((part) => readIsbn(part)));
  if (numbers.length > 1 || [...isbns].filter((isbn) => isbn !== undefined).length > 1)
    return 'These are several numbers: write one ISBN.';
  const padded = digits.padStart(10, '0');
  if (/^\d{7,8}[\dX]$/.test(digits) && fromDigits(padded) !== undefined)
    return `A 0 is missing in front, which spreadsheets take away: write ${padded}.`;
  if (/^\d{13}$/.test(digits) && !/^97(?:8|9[1-9])/.test(digits))
    return 'This is the number of something else: an ISBN of 13 digits begins with 978, or with 979 and no 0 behind it.';
  return 'Write the 10 or 13 digits of the ISBN as they stand on the book: one of these may be mistyped.';
}

function numbersIn(text: string): string[] {
  if (text.length > maxLength) return [];
  const plain = tidyValue(text)
    .normalize('NFKC')
    // A spreadsheet may write an ISBN as a decimal number.
    .replace(/[.,]0{1,2}$/, '');
  const numbers = plain.split(/[,;|/]/).map((part) =>
    part
      // Removes a note such as `(pbk.)`, but not the number itself.
      .replace(/(\S\s*)\([^()]*\)\s*$|^\s*\(\D*\)\s*$/, '$1')
      .replace(/^\s*[[(<]|[\])>]\s*$/g, '')
      .replace(/^\s*(?:urn:)?ISBN(?:-1[03])?:?/i, '')
      .replace(/[\s\p{Pd}\u2212]/gu, '')
      .toUpperCase(),
  );
  return [...new Set(numbers)].filter((number) => number !== '');
}

/** @param digits 10 or 13, the last of 10 perhaps an X. @returns the 13 digits; undefined for other texts. */
function fromDigits(digits: string): string | undefined {
  if (/^\d{9}[\dX]$/.test(digits)) {
    const first = `978${digits.slice(0, 9)}`;
    return weightedSum(digits, (index) => 10 - index) % 11 === 0 ? first + checkDigit(first) : undefined;
  }
  // 979-0 is for printed music, which has its own numbers (ISO 10957).
  const isIsbn = /^(?:978\d|979[1-9])\d{9}$/.test(digits) && digits.endsWith(checkDigit(digits.slice(0, 12)));
  return isIsbn ? digits : undefined;
}

const weightedSum = (digits: string, weightAt: (index: number) => number): number =>
  Array.from(digits, (digit, index) => (digit === 'X' ? 10 : Number(digit)) * weightAt(index)).reduce(
    (sum, product) => sum + product,
  );

const checkDigit = (first12: string): string =>
  String((10 - (weightedSum(first12, (index) => (index % 2 === 0 ? 1 : 3)) % 10)) % 10);

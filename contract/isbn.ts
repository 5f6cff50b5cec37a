/** International Standard Book Numbers (ISO 2108). Without schemas: the browser loads it. */

/**
 * @param text an ISBN-10 or ISBN-13 as people write it: with hyphens or spaces, perhaps with `ISBN` before it.
 * @returns its 13 digits; undefined for another text, and where the check digit is wrong.
 */
export function readIsbn(text: string): string | undefined {
  const digits = text
    .trim()
    .replace(/^ISBN(?:-1[03])?:?/i, '')
    .replace(/[\s\p{Pd}\u2212]/gu, '')
    .toUpperCase();
  if (/^\d{9}[\dX]$/.test(digits)) {
    const first = `978${digits.slice(0, 9)}`;
    return weightedSum(digits, (index) => 10 - index) % 11 === 0 ? first + checkDigit(first) : undefined;
  }
  // 979-0 is for printed music, whose numbers are others (ISO 10957).
  const isIsbn = /^(?:978\d|979[1-9])\d{9}$/.test(digits) && digits.endsWith(checkDigit(digits.slice(0, 12)));
  return isIsbn ? digits : undefined;
}

const weightedSum = (digits: string, weightAt: (index: number) => number): number =>
  Array.from(digits, (digit, index) => (digit === 'X' ? 10 : Number(digit)) * weightAt(index)).reduce(
    (sum, product) => sum + product,
  );

const checkDigit = (first12: string): string =>
  String((10 - (weightedSum(first12, (index) => (index % 2 === 0 ? 1 : 3)) % 10)) % 10);

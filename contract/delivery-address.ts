/** The address that an order is sent to. Without schemas: the browser loads it. */

import { tidyText } from './pasted-text.ts';

export const maxAddressLength = 500;

/** Nothing of a line is seen: it has no character, or only those that no font draws. */
const isBlank = (line: string): boolean => /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(line);

/** @returns null for a blank address. */
export const tidyAddress = (text: string): string | null => {
  const lines = text
    .split(/\r\n?|\n/)
    .map(tidyText)
    .filter((line) => !isBlank(line));
  return lines.join('\n') || null;
};

/** The address of an order, how to follow its parcel, and the words of a gift. This file has no schemas, because the browser loads it. */

import { tidyText } from './pasted-text.ts';

export const maxAddressLength = 500;
export const maxGiftLength = 300;
export const maxTrackingLength = 200;

/** True for an empty or invisible line: it has no character, or only characters that no font draws. */
const isBlank = (line: string): boolean => /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(line);

/** @returns null for a blank address. */
export const tidyAddress = (text: string): string | null => {
  const lines = text
    .split(/\r\n?|\n/)
    .map(tidyText)
    .filter((line) => !isBlank(line));
  return lines.join('\n') || null;
};

/** @returns the address of the parcel's page, without a name before the host, which could pass for the host; undefined for another text. */
export const trackingAddress = (text: string | null): string | undefined =>
  text && /^https:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/.test(text) && URL.canParse(text) ? text : undefined;

/** The address that an order is sent to. Without schemas: the browser loads it. */

/** In characters. */
export const maxAddressLength = 500;

/** @returns the address as it is stored: each line without white space at its end, none of them blank; null for a blank one. */
export const tidyAddress = (text: string): string | null => {
  const lines = text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.join('\n') || null;
};

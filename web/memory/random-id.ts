/** @returns 128 random bits in hexadecimal. `crypto.randomUUID` is missing where the page came by plain HTTP. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

import { imageIdIn } from './image-address.ts';
import { tidyValue } from './pasted-text.ts';

/** Finds a second address in the text, even directly after a file extension. A lone comma or space may be a part of an address. */
const further =
  /[\s,;|](?:https?:)?\/\/|[\s;|]\/images\/|\.(?:avif|gif|jpe?g|png|webp)[^\w/?#&=]*https?:\/\//i;

/** Checks an image address: browsers fetch it, so no scheme may run code or leak data. @param storeOrigin whose addresses become paths. */
export function normalizeBookImage(image: string, storeOrigin: string): string | undefined {
  const tidied = tidyValue(image);
  const path = tidied.startsWith(`${storeOrigin}/`) ? tidied.slice(storeOrigin.length) : tidied;
  if (imageIdIn(path)) return path;
  if (!/^https:\/\//i.test(tidied) || further.test(tidied) || !URL.canParse(tidied)) return undefined;
  const { username, password, origin, href } = new URL(tidied);
  // The store's other addresses are no images: the browser of each visitor would open them, for example the sign-in.
  return username || password || origin === storeOrigin || href.length > 2000 ? undefined : href;
}

export const reasonAgainstBookImage = (image: string): string =>
  further.test(tidyValue(image))
    ? 'These are several addresses: a book has one image.'
    : 'Must be an https: address or an image uploaded to the store.';

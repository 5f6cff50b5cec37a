import { imageIdIn } from './image-address.ts';

/**
 * Normalizes the image of a book: an `https:` address, or the address of an image that the store hosts. The store never
 * fetches it; browsers do, so schemes that run code or leak data are rejected.
 * @param storeOrigin an absolute address on this origin counts as the store's own path.
 * @returns the address as it is stored, or undefined when it is rejected.
 */
export function normalizeBookImage(image: string, storeOrigin: string): string | undefined {
  const trimmed = image.trim();
  const path = trimmed.startsWith(`${storeOrigin}/`) ? trimmed.slice(storeOrigin.length) : trimmed;
  if (imageIdIn(path)) return path;
  if (!/^https:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined;
  const { username, password, origin, href } = new URL(trimmed);
  // The store's other addresses are no images: each visitor's browser would open one such as the sign-in.
  return username || password || origin === storeOrigin || href.length > 2000 ? undefined : href;
}

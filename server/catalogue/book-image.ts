import { imageIdIn } from '../../contract/image-address.ts';

/**
 * What a book may keep as its image: an `https:` address, or an image that the store itself hosts. The store never
 * fetches it; browsers do, so no scheme gets through that would run or leak anything there.
 * @param storeOrigin an absolute address there counts as the store's own path.
 * @returns the image as it is kept, or undefined for what is refused.
 */
export function bookImage(image: string, storeOrigin: string): string | undefined {
  const trimmed = image.trim();
  const path = trimmed.startsWith(`${storeOrigin}/`) ? trimmed.slice(storeOrigin.length) : trimmed;
  if (imageIdIn(path)) return path;
  if (!/^https:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined;
  const { username, password, href } = new URL(trimmed);
  return username || password || href.length > 2000 ? undefined : href;
}

import type { ImagePolicy } from '../../server/catalogue/import/row-images.ts';
import { readImageSettings } from '../../server/settings.ts';

/** It is called after `.env` was read. */
export const imagePolicy = (): ImagePolicy => {
  const { publicUrl, imageOrigins } = readImageSettings(process.env);
  return { storeOrigin: publicUrl.origin, imageOrigins };
};

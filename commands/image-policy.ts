import type { ImagePolicy } from '../server/import/row-images.ts';
import { readImageSettings } from '../server/settings/settings.ts';
import type { Io } from './command.ts';

/** Call it after `.env` was read. */
export const imagePolicy = ({ env }: Io): ImagePolicy => {
  const { publicUrl, imageOrigins } = readImageSettings(env);
  return { storeOrigin: publicUrl.origin, imageOrigins };
};

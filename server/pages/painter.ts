/** Paints the first screen of a page, with the renderer from the pages' build. */

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { type PageToRender, type RenderPage, rendererFile } from '../../contract/rendered-page.ts';
import type { StoreConfig } from '../../contract/store-config.ts';

type PainterParts = { folder: string; isRebuilt: boolean; storeConfig: StoreConfig; log: FastifyBaseLogger };

/**
 * Loads the renderer at once, for which a start does not wait: an upgrade may replace the file while this process runs, and the page
 * would not fit the other build.
 */
export function openPainter({ folder, isRebuilt, storeConfig, log }: PainterParts) {
  const file = join(folder, rendererFile);
  const load = async (): Promise<RenderPage | undefined> => {
    // A store needs the renderer to start; the pages of tests need none.
    if (!existsSync(file)) return undefined;
    // A new address makes Node load the module again.
    const build = isRebuilt ? `?${statSync(file).mtimeMs}` : '';
    const { render }: { render: RenderPage } = await import(pathToFileURL(file).href + build);
    return render;
  };
  const loaded = load();
  // A page that needs the renderer reports the failure.
  loaded.catch(() => {});
  return async (page: Omit<PageToRender, 'storeConfig'>) => {
    try {
      const render = await (isRebuilt ? load() : loaded);
      return render?.({ ...page, storeConfig });
    } catch (error) {
      log.error({ err: error }, 'a page could not be rendered: it is sent without its content');
      return undefined;
    }
  };
}

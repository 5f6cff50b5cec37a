import type { TabStorage } from '../memory/tab-storage.ts';

const chunkTimeoutMs = 120_000;

/** A screen's chunk did not load. `cause` is the browser's own error, if there was one. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/**
 * Loads a screen's chunk within 120 seconds (spec, section 9).
 * @throws {ChunkLoadError} when it fails or takes longer.
 */
export const loadScreen = <Screen>(load: () => Promise<Screen>): Promise<Screen> =>
  new Promise((resolve, reject) => {
    const late = new ChunkLoadError('This page took too long to load.');
    const timer = setTimeout(() => reject(late), chunkTimeoutMs);
    load()
      .finally(() => clearTimeout(timer))
      .then(resolve, (cause) => reject(new ChunkLoadError('This page could not be loaded.', { cause })));
  });

const reloadedKey = 'reloaded-for-screen';

/**
 * Loads as {@link loadScreen} does, but reloads the page on the first failure: a deploy may have replaced the chunks that
 * an open page refers to.
 * @throws {ChunkLoadError} when the screen still fails after the reload. Also when a reload is not safe: without a network
 * the page would be lost, and a tab that cannot store the reload would reload again and again.
 */
export const loadScreenOrReload = async <Screen>(
  load: () => Promise<Screen>,
  storage: TabStorage,
  page: { isOnline: () => boolean; reload: () => void },
): Promise<Screen> => {
  try {
    const screen = await loadScreen(load);
    storage.remove(reloadedKey);
    return screen;
  } catch (error) {
    if (!page.isOnline() || storage.read(reloadedKey)) throw error;
    if (!storage.write(reloadedKey, true)) throw error;
    page.reload();
    return new Promise(() => undefined);
  }
};

import type { TabMemory } from './tab-memory.ts';

const chunkTimeoutMs = 120_000;

/** A screen's code did not arrive. `cause` is the browser's own error, if there was one. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/**
 * Loads the code of a screen, within 120 seconds (the spec's limit). Throws {@link ChunkLoadError} when it fails or
 * takes longer.
 */
export const loadScreen = async <Screen>(load: () => Promise<Screen>): Promise<Screen> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError('This page took too long to load.')), chunkTimeoutMs);
  });
  try {
    return await Promise.race([load(), tooLate]);
  } catch (cause) {
    if (cause instanceof ChunkLoadError) throw cause;
    throw new ChunkLoadError('This page could not be loaded.', { cause });
  } finally {
    clearTimeout(timer);
  }
};

const reloadedKey = 'reloaded-for-screen';

type OpenPage = { isOnline: () => boolean; reload: () => void };

/**
 * Loads as {@link loadScreen} does, but answers the first failure by reloading the page: a deploy may have replaced the
 * chunks that an open page knows of. Thrown is a failure that the reload did not cure, or that it cannot: a page without
 * a network would be gone for good, and one that cannot remember its reload would reload for ever.
 */
export const loadScreenOrReload = async <Screen>(
  load: () => Promise<Screen>,
  memory: TabMemory,
  page: OpenPage,
): Promise<Screen> => {
  try {
    const screen = await loadScreen(load);
    memory.remove(reloadedKey);
    return screen;
  } catch (error) {
    if (!page.isOnline() || memory.read(reloadedKey)) throw error;
    if (!memory.write(reloadedKey, true)) throw error;
    page.reload();
    return new Promise(() => undefined);
  }
};

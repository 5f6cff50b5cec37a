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

type ReloadGuard = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Loads as {@link loadScreen} does, but answers the first failure by reloading the page: a deploy may have replaced the
 * chunks that an open page knows of. Only a failure that the reload did not cure is thrown.
 */
export const loadScreenOrReload = async <Screen>(
  load: () => Promise<Screen>,
  guard: ReloadGuard,
  reload: () => void,
): Promise<Screen> => {
  try {
    const screen = await loadScreen(load);
    guard.removeItem(reloadedKey);
    return screen;
  } catch (error) {
    if (guard.getItem(reloadedKey)) throw error;
    guard.setItem(reloadedKey, 'yes');
    reload();
    return new Promise(() => undefined);
  }
};

import { type ComponentType, createContext, createElement, useContext, useEffect, useState } from 'react';
import { Loading } from '../components/loading.tsx';
import { isOnline } from '../memory/platform.ts';
import { tabStorage } from '../memory/tab-storage.ts';

const chunkTimeoutMs = 120_000;

/** A screen's chunk did not load. `cause` is the browser's own error, if there was one. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/**
 * Loads a screen's chunk within 120 seconds (spec, section 9).
 * @throws {ChunkLoadError} when it fails or takes longer.
 */
export const loadScreen = <Screen,>(load: () => Promise<Screen>): Promise<Screen> =>
  new Promise((resolve, reject) => {
    const late = new ChunkLoadError('This page took too long to load.');
    const timer = setTimeout(() => reject(late), chunkTimeoutMs);
    load()
      .finally(() => clearTimeout(timer))
      .then(resolve, (cause) => reject(new ChunkLoadError('This page could not be loaded.', { cause })));
  });

const reloadedKey = 'reloaded-for-screen';

/**
 * Loads like {@link loadScreen}, but reloads the page on the first failure: a deploy may have replaced the chunks of an open page. @throws
 * {ChunkLoadError} when the screen still fails after the reload. Also when a reload is not safe: without a network the page would be lost,
 * and a tab that cannot store the reload would reload again and again.
 */
export const loadScreenOrReload = async <Screen,>(load: () => Promise<Screen>): Promise<Screen> => {
  try {
    const screen = await loadScreen(load);
    tabStorage.remove(reloadedKey);
    return screen;
  } catch (error) {
    if (!isOnline() || tabStorage.read(reloadedKey)) throw error;
    if (!tabStorage.write(reloadedKey, true)) throw error;
    window.location.reload();
    return new Promise(() => undefined);
  }
};

/** A screen's chunk of code. `component` is undefined until it is loaded. */
export const screenChunk = <Props extends object>(load: () => Promise<ComponentType<Props>>) => {
  let component: ComponentType<Props> | undefined;
  return {
    get component() {
      return component;
    },
    load: async () => {
      component = await loadScreenOrReload(load);
    },
    /** This promise never rejects: a chunk that fails to load is loaded again when the screen is shown. */
    preload: async () => {
      const preloaded = await loadScreen(load).catch(() => undefined);
      component ??= preloaded;
    },
  };
};

export type ScreenChunk<Props extends object> = ReturnType<typeof screenChunk<Props>>;

/** Tells the renderer which screen it has rendered: the renderer needs the files of that screen's chunk. */
export const ShownChunk = createContext<(chunk: object) => void>(() => undefined);

type LazyScreenProps<Props extends object> = { chunk: ScreenChunk<Props>; props: Props };

/**
 * Shows a screen as soon as its chunk is loaded. React.lazy would do the same, but Suspense shows its fallback for a third
 * of a second even when the chunk is there already.
 */
export const LazyScreen = <Props extends object>({ chunk, props }: LazyScreenProps<Props>) => {
  const [outcome, setOutcome] = useState<{ error?: unknown }>({});
  const { component } = chunk;
  useContext(ShownChunk)(chunk);
  useEffect(() => {
    // A chunk that was preloaded since the last frame is not shown yet.
    if (component) return;
    chunk.load().then(
      () => setOutcome({}),
      (error: unknown) => setOutcome({ error }),
    );
  }, [chunk, component]);
  if ('error' in outcome) throw outcome.error;
  if (component) return createElement(component, props);
  return (
    <main id="content" className="page">
      <Loading />
    </main>
  );
};

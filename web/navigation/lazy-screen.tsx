import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Loading } from '../components/loading.tsx';
import { PlainPage } from '../components/plain-page.tsx';
import { isOnline } from '../memory/platform.ts';
import { tabStorage } from '../memory/tab-storage.ts';
import { loadScreen, loadScreenOrReload } from './load-screen.ts';

const openPage = { isOnline, reload: () => window.location.reload() };

type ScreenChunk<Props> = {
  /** Undefined until the chunk is loaded. */
  component: ComponentType<Props> | undefined;
  load: () => Promise<void>;
  /** Never fails: a chunk that does not load now is loaded again when the screen is shown. */
  preload: () => Promise<void>;
};

/** A screen's chunk of code, loaded when the screen is first shown, or earlier by `preload`. */
export const screenChunk = <Props,>(load: () => Promise<ComponentType<Props>>): ScreenChunk<Props> => {
  const chunk: ScreenChunk<Props> = {
    component: undefined,
    load: async () => {
      chunk.component = await loadScreenOrReload(load, tabStorage, openPage);
    },
    preload: async () => {
      chunk.component ??= await loadScreen(load).catch(() => undefined);
    },
  };
  return chunk;
};

type LazyScreenProps<Props> = {
  chunk: ScreenChunk<Props>;
  children: (Component: ComponentType<Props>) => ReactNode;
};

/**
 * Shows a screen as soon as its chunk is loaded. React.lazy would do the same, but Suspense shows its fallback for a third
 * of a second even when the chunk is there already.
 */
export const LazyScreen = <Props,>({ chunk, children }: LazyScreenProps<Props>) => {
  const [, setIsLoaded] = useState(false);
  const [failure, setFailure] = useState<{ error: unknown }>();

  useEffect(() => {
    if (chunk.component) return;
    let isMounted = true;
    chunk.load().then(
      () => isMounted && setIsLoaded(true),
      (error: unknown) => isMounted && setFailure({ error }),
    );
    return () => {
      isMounted = false;
    };
  }, [chunk]);

  if (failure) throw failure.error;
  if (chunk.component) return children(chunk.component);
  return (
    <PlainPage>
      <Loading />
    </PlainPage>
  );
};

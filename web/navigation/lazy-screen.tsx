import { type ComponentType, createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { Loading } from '../components/loading.tsx';
import { PlainPage } from '../components/plain-page.tsx';
import { isOnline } from '../memory/platform.ts';
import { tabStorage } from '../memory/tab-storage.ts';
import { loadScreen, loadScreenOrReload } from './load-screen.ts';

const openPage = { isOnline, reload: () => window.location.reload() };

/** A screen's chunk of code. `component` is undefined until it is loaded. */
export type ScreenChunk<Props> = {
  component: ComponentType<Props> | undefined;
  load: () => Promise<void>;
  /** Never fails: a chunk that does not load now is loaded again when the screen is shown. */
  preload: () => Promise<void>;
};

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

/** Tells the renderer, which needs the files of a chunk, what it has rendered. */
export const ShownChunk = createContext<(chunk: object) => void>(() => undefined);

type LazyScreenProps<Props> = {
  chunk: ScreenChunk<Props>;
  children: (Component: ComponentType<Props>) => ReactNode;
};

/**
 * Shows a screen as soon as its chunk is loaded. React.lazy would do the same, but Suspense shows its fallback for a third
 * of a second even when the chunk is there already.
 */
export const LazyScreen = <Props,>({ chunk, children }: LazyScreenProps<Props>) => {
  const [outcome, setOutcome] = useState<{ error?: unknown }>({});
  useContext(ShownChunk)(chunk);
  useEffect(() => {
    if (chunk.component) return;
    chunk.load().then(
      () => setOutcome({}),
      (error: unknown) => setOutcome({ error }),
    );
  }, [chunk]);
  if ('error' in outcome) throw outcome.error;
  if (chunk.component) return children(chunk.component);
  return (
    <PlainPage>
      <Loading />
    </PlainPage>
  );
};

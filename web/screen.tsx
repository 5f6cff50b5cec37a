import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Loading } from './components/loading.tsx';
import { PlainPage } from './components/plain-page.tsx';
import { loadScreen, loadScreenOrReload } from './load-screen.ts';
import { tabMemory } from './tab-memory.ts';

const openPage = { isOnline: () => navigator.onLine, reload: () => window.location.reload() };

type ScreenCode<Props> = {
  /** Undefined until it has arrived. */
  component: ComponentType<Props> | undefined;
  load: () => Promise<void>;
  /** Never fails: what does not arrive now is asked for again when the screen is shown. */
  preload: () => Promise<void>;
};

/** The code of a screen, a chunk of its own that is fetched when the screen is first shown, or earlier. */
export const screenCode = <Props,>(load: () => Promise<ComponentType<Props>>): ScreenCode<Props> => {
  const code: ScreenCode<Props> = {
    component: undefined,
    load: async () => {
      code.component = await loadScreenOrReload(load, tabMemory, openPage);
    },
    preload: async () => {
      code.component ??= await loadScreen(load).catch(() => undefined);
    },
  };
  return code;
};

type ScreenProps<Props> = {
  code: ScreenCode<Props>;
  children: (Component: ComponentType<Props>) => ReactNode;
};

/**
 * Shows a screen as soon as its code is here. Unlike React.lazy it does so at once when the code came earlier; Suspense
 * would first hold up its fallback for a third of a second.
 */
export const Screen = <Props,>({ code, children }: ScreenProps<Props>) => {
  const [, setHasArrived] = useState(false);
  const [failure, setFailure] = useState<{ error: unknown }>();

  useEffect(() => {
    if (code.component) return;
    let isShown = true;
    code.load().then(
      () => isShown && setHasArrived(true),
      (error: unknown) => isShown && setFailure({ error }),
    );
    return () => {
      isShown = false;
    };
  }, [code]);

  if (failure) throw failure.error;
  if (code.component) return children(code.component);
  return (
    <PlainPage>
      <Loading />
    </PlainPage>
  );
};

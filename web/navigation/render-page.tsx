import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, startTransition, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { beginPainting, endPainting, readPaintedScreen } from '../api/painted-screen.ts';
import { createQueryClient } from '../api/query-client.ts';
import { placeInList, trackPlaces } from '../list/places.ts';
import { isOpenedByBack } from '../memory/platform.ts';
import { clearSession, syncWithOtherTabs } from '../session/session.ts';
import { ErrorBoundary } from './error-boundary.tsx';

type PageProps = { queryClient: QueryClient; children: ReactNode };

/** The shop or the desk; each is a page. */
export const Page = ({ queryClient, children }: PageProps) => {
  useEffect(endPainting, []);
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        {/* An error while React removes a screen reaches this outer boundary. */}
        <ErrorBoundary>{children}</ErrorBoundary>
      </QueryClientProvider>
    </StrictMode>
  );
};

/**
 * Shows the page in its document, or takes over the screen that the server has painted there. @param load loads the chunk of a painted
 * screen. @returns true if it is loaded. @throws {Error} when the document has no element for the page.
 */
export const renderPage = async (
  page: ReactNode,
  load: (chunk: string) => Promise<boolean> = async () => false,
): Promise<void> => {
  const queryClient = createQueryClient(clearSession);
  trackPlaces();
  syncWithOtherTabs(queryClient);
  const root = document.getElementById('root');
  if (!root) throw new Error('The page lacks the element with the id "root".');
  const content = <Page queryClient={queryClient}>{page}</Page>;
  const painted = readPaintedScreen();
  const isLoaded = painted && (!painted.chunk || (await load(painted.chunk)));
  // A browser that goes back shows its stored page, however old it is.
  if (isLoaded) beginPainting(painted.responses, isOpenedByBack());
  // A list is painted from its start on, and a returning visitor's place may be further down.
  const isAsPainted = isLoaded && !(painted.responses.list && placeInList()?.item);
  startTransition(() => {
    if (isAsPainted) hydrateRoot(root, content);
    else createRoot(root).render(content);
  });
};

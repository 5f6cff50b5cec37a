import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '../api/query-client.ts';
import { trackPlaces } from '../list/places.ts';
import { clearSession, syncWithOtherTabs } from '../session/session.ts';

/** Shows the shop or the desk, each a page, in its document. @throws {Error} when the document has no element for it. */
export const renderPage = (page: ReactNode): void => {
  const queryClient = createQueryClient(clearSession);
  trackPlaces();
  syncWithOtherTabs(queryClient);
  const root = document.getElementById('root');
  if (!root) throw new Error('The page lacks the element with the id "root".');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>{page}</QueryClientProvider>
    </StrictMode>,
  );
};

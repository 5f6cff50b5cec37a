import './styles/tokens.css';
import './styles/fonts.css';
import './styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { trackPlaces } from './memory/places.ts';
import { Desk } from './screens/desk/desk.tsx';
import { clearSession, syncWithOtherTabs } from './session/session.ts';

const queryClient = createQueryClient(clearSession);
trackPlaces();
syncWithOtherTabs(queryClient);

const root = document.getElementById('root');
if (!root) throw new Error('The page lacks the element with the id "root".');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Desk />
    </QueryClientProvider>
  </StrictMode>,
);

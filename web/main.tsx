import './styles/tokens.css';
import './styles/fonts.css';
import './styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createQueryClient } from './query-client.ts';
import { followHistory } from './scroll-memory.ts';
import { followOtherTabs } from './session.tsx';

const queryClient = createQueryClient();
followHistory();
followOtherTabs(queryClient);

const root = document.getElementById('root');
if (!root) throw new Error('The page lacks the element that the app is drawn into.');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);

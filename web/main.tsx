import './styles/styles.css';
import { App, loadChunk, preloadScreens } from './app.tsx';
import { whenIdle } from './memory/platform.ts';
import { renderPage } from './navigation/render-page.tsx';
import { storeConfig } from './store-config.ts';

// The pointer, a finger or the focus reaches the page.
for (const sign of ['pointerover', 'focusin']) window.addEventListener(sign, preloadScreens, { once: true });

void renderPage(<App />, loadChunk);
if (storeConfig.measuresVisitors) whenIdle(() => void import('./vitals.ts').catch(() => undefined));

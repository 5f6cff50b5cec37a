import './styles/styles.css';
import { App, loadChunk, preloadScreens } from './app.tsx';
import { afterPaint, whenIdle } from './memory/platform.ts';
import { renderPage } from './navigation/render-page.tsx';
import { storeConfig } from './store-config.ts';

// Signs that somebody is there. A resting pointer is none: browsers also report one when a page opens under it.
for (const sign of ['pointermove', 'pointerdown', 'focusin'])
  window.addEventListener(sign, () => afterPaint(preloadScreens), { once: true });

void renderPage(<App />, loadChunk);
if (storeConfig.measuresVisitors) whenIdle(() => void import('./vitals.ts').catch(() => undefined));

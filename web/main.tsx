import './styles/styles.css';
import { App, loadChunk, preloadScreens } from './app.tsx';
import { afterPaint, whenIdle } from './memory/platform.ts';
import { renderPage } from './navigation/render-page.tsx';
import { storeConfig } from './store-config.ts';

// The pointer moves, or a finger or the focus reaches the page. A resting pointer says nothing: browsers tell that the page came under it.
for (const sign of ['pointermove', 'pointerdown', 'focusin'])
  window.addEventListener(sign, () => afterPaint(preloadScreens), { once: true });

void renderPage(<App />, loadChunk);
if (storeConfig.measuresVisitors) whenIdle(() => void import('./vitals.ts').catch(() => undefined));

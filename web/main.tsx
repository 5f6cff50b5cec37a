import './styles/styles.css';
import { App, loadChunk, preloadScreens } from './app.tsx';
import { renderPage } from './navigation/render-page.tsx';

// The pointer, a finger or the focus reaches the page.
for (const sign of ['pointerover', 'focusin']) window.addEventListener(sign, preloadScreens, { once: true });

void renderPage(<App />, loadChunk);

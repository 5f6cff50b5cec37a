import './styles/styles.css';
import { App, loadChunk } from './app.tsx';
import { renderPage } from './navigation/render-page.tsx';

void renderPage(<App />, loadChunk);

import './styles/base.css';
import { App } from './app.tsx';
import { renderPage } from './navigation/render-page.tsx';

renderPage(<App />);

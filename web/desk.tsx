import './styles/styles.css';
import { Desk } from './desk/desk.tsx';
import { renderPage } from './navigation/render-page.tsx';

void renderPage(<Desk />);

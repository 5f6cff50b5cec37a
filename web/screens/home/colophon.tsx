import { storeConfig } from '../../store-config.ts';
import styles from './colophon.module.css';

/** The foot of the home screen: the note that a book has on its last page. */
export const Colophon = () => (
  <footer className={styles.colophon}>
    <svg className={styles.mark} viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="22.5" />
      <path d="M24 17.5c-2.6-2.2-6.2-3.2-11-3.2v17.4c4.8 0 8.4 1 11 3.2 2.6-2.2 6.2-3.2 11-3.2V14.3c-4.8 0-8.4 1-11 3.2zv17.4" />
    </svg>
    <p>
      A colophon is the note on a book’s last page that tells how it was made. This shop is set in Literata,
      which TypeTogether drew for long reading. Its books are sold one at a time, as they are read.
    </p>
    <p className={styles.imprint}>
      {storeConfig.name}, <time>{new Date().getFullYear()}</time>
    </p>
  </footer>
);

import { Link } from 'wouter';
import { store } from '../store.ts';
import styles from './brand.module.css';

/** The store's name, leading home. */
export const Brand = () => (
  <Link href="/" className={styles.brand}>
    {store.name}
  </Link>
);

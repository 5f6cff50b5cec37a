import { Link } from 'wouter';
import { screens } from '../../contract/paths.ts';
import { storeConfig } from '../store-config.ts';
import styles from './brand.module.css';

/** The store's name, as a link to the home screen. */
export const Brand = () => (
  <Link href={screens.home} className={styles.brand}>
    {storeConfig.name}
  </Link>
);

import type { ReactNode } from 'react';
import { ScreenHeading } from '../components/screen-heading.tsx';
import styles from './desk.module.css';

type ViewHeadProps = { name: string; about?: ReactNode; children?: ReactNode };

export const ViewHead = ({ name, about, children }: ViewHeadProps) => (
  <div className="cluster ends">
    <div className={styles.words}>
      <ScreenHeading title={`${name} – Desk`}>{name}</ScreenHeading>
      {about && <p className={`soft ${styles.about}`}>{about}</p>}
    </div>
    {children && (
      <div className="cluster" data-no-print="">
        {children}
      </div>
    )}
  </div>
);

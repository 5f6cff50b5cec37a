import type { ReactNode } from 'react';
import { ScreenHeading } from '../components/screen-heading.tsx';
import styles from './desk.module.css';

type ViewHeadProps = { name: string; about?: ReactNode; tabs?: ReactNode; children?: ReactNode };

export const ViewHead = ({ name, about, tabs, children }: ViewHeadProps) => (
  <div className={`cluster ${styles.head}`}>
    <ScreenHeading title={`${name} – Desk`}>{name}</ScreenHeading>
    {about && <p className={`soft ${styles.about}`}>{about}</p>}
    {tabs}
    {children && (
      <div className={`cluster ${styles.actions}`} data-no-print="">
        {children}
      </div>
    )}
  </div>
);

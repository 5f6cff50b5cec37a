import type { ReactNode } from 'react';
import { ScreenHeading } from '../components/screen-heading.tsx';
import styles from './view-head.module.css';

/** The heading of a view, one line that explains it, and its actions. */
export const ViewHead = ({
  name,
  about,
  children,
}: {
  name: string;
  about?: ReactNode;
  children?: ReactNode;
}) => (
  <div className={`cluster ends ${styles.head}`}>
    <div className={styles.words}>
      <ScreenHeading title={`${name} – Desk`}>{name}</ScreenHeading>
      {about && <p className={styles.about}>{about}</p>}
    </div>
    {children && (
      <div className="cluster tight" data-no-print>
        {children}
      </div>
    )}
  </div>
);

/** The head of a view: its heading, tabs and actions. And the links that download files. */
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { countText } from '../../contract/desk/limits.ts';
import { type Filters, withFilters } from '../../contract/paths.ts';
import { ScreenHeading } from '../components/screen-heading.tsx';
import { inPlace } from '../list/places.ts';
import styles from './desk.module.css';

type ViewHeadProps = { name: string; about?: ReactNode; tabs?: ReactNode; children?: ReactNode };

export const ViewHead = ({ name, about, tabs, children }: ViewHeadProps) => (
  <div className={`cluster ${styles.head}`}>
    <ScreenHeading title={`${name} – Desk`}>{name}</ScreenHeading>
    {about && <p className={`soft ${styles.about}`}>{about}</p>}
    {tabs}
    {children && (
      <div className={`cluster tight ${styles.actions}`} data-no-print="">
        {children}
      </div>
    )}
  </div>
);

/** Scrolls the line of a link to it: it may be beyond the edge. */
export const showLink = (link: HTMLElement | null) => {
  const line = link?.parentElement;
  if (!line) return;
  const [one, all] = [link.getBoundingClientRect(), line.getBoundingClientRect()];
  line.scrollLeft += (one.left + one.right - all.left - all.right) / 2;
};

type TabsProps = {
  label: string;
  filters: Filters;
  /** `set`: the filters that the tab sets; `count`: how many items its list has, if that is known. */
  tabs: readonly (readonly [name: string, set: Filters, count?: number | undefined])[];
};

/** The most used choices of a view, one click each. They are links, so that each has an address. */
export const Tabs = ({ label, filters, tabs }: TabsProps) => {
  const [path] = useLocation();
  return (
    <nav className={`cluster whole tight figures ${styles.tabs}`} aria-label={label}>
      {tabs.map(([name, set, count]) => {
        const isCurrent = Object.entries(set).every(([filter, value]) => filters[filter] === value);
        return (
          <Link
            key={name}
            // A new function each time: the counts come later, and push the link aside.
            ref={isCurrent ? (link: HTMLElement | null) => showLink(link) : undefined}
            className="pill"
            href={withFilters(path, { ...filters, ...set })}
            aria-current={isCurrent ? 'true' : undefined}
            replace
            state={inPlace}
          >
            {name}
            {count !== undefined && <span>{countText(count)}</span>}
          </Link>
        );
      })}
    </nav>
  );
};

type ExportLinksProps = { label?: string; links: Readonly<Record<string, string>> };

/** Links that each download a file. The router ignores them, because the store sends no page at their addresses. */
export const ExportLinks = ({ label = 'Export as', links }: ExportLinksProps) => (
  <p className="cluster">
    <span>{label}</span>
    {Object.entries(links).map(([name, address]) => (
      <a key={name} className="linkish" href={address} download aria-label={`${label} ${name}`}>
        {name}
      </a>
    ))}
  </p>
);

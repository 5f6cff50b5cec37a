import { Link, useLocation } from 'wouter';
import { type Filters, withFilters } from '../../contract/paths.ts';
import { inPlace } from '../list/places.ts';
import styles from './desk.module.css';

/** A tab. `filters`: those of its address; `count`: how many items its list has, such as `1,000+`. */
type Tab = { name: string; filters: Filters; isCurrent: boolean; count?: string | undefined };

/** Scrolls to a link that may be beyond the edge of its line. */
export const showLink = (link: HTMLElement | null) =>
  link?.scrollIntoView({ inline: 'center', block: 'nearest' });

/** The most used choices of a view, one click each. They are links, so that each has an address. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => {
  const [path] = useLocation();
  return (
    <nav className={`cluster tight figures ${styles.tabs}`} aria-label={label}>
      {tabs.map(({ name, filters, isCurrent, count }) => (
        <Link
          key={name}
          ref={isCurrent ? showLink : undefined}
          className="pill"
          href={withFilters(path, filters)}
          aria-current={isCurrent ? 'true' : undefined}
          replace
          state={inPlace}
        >
          {name}
          {count && <span>{count}</span>}
        </Link>
      ))}
    </nav>
  );
};

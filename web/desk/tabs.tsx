import { Link, useLocation } from 'wouter';
import { type Filters, withFilters } from '../../contract/paths.ts';
import { inPlace } from '../list/places.ts';
import styles from './desk.module.css';

/** A tab. `filters`: those of its address; `count`: how many items its list has, such as `1,000+`. */
type Tab = { name: string; filters: Filters; isCurrent: boolean; count?: string | undefined };

/** Scrolls the line of a link to it: it may be beyond the edge. */
export const showLink = (link: HTMLElement | null) => {
  const line = link?.parentElement;
  if (!line) return;
  const [one, all] = [link.getBoundingClientRect(), line.getBoundingClientRect()];
  line.scrollLeft += (one.left + one.right - all.left - all.right) / 2;
};

/** The most used choices of a view, one click each. They are links, so that each has an address. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => {
  const [path] = useLocation();
  return (
    <nav className={`cluster tight figures ${styles.tabs}`} aria-label={label}>
      {tabs.map(({ name, filters, isCurrent, count }) => (
        <Link
          key={name}
          // A new function each time: the counts come later, and push the link aside.
          ref={isCurrent ? (link: HTMLElement | null) => showLink(link) : undefined}
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

/** The bar at the top of every screen, with its parts. */

import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { screens } from '../../contract/paths.ts';
import { useCurrentPath, useSession, useSignOut } from '../session/session.ts';
import { storeConfig } from '../store-config.ts';
import styles from './bar.module.css';
import { Button } from './button.tsx';
import { Problem } from './notice.tsx';

export const Brand = () => (
  <Link href={screens.home} className="brand">
    {storeConfig.name}
  </Link>
);

type VisitorProps = {
  name: string | undefined;
  title?: string | undefined;
  /** True if the account is invisible. It still takes its room. */
  isHidden?: boolean;
  /** Shown in place of the button to log out. */
  children?: ReactNode;
};

/** Who is signed in, and the button to log out. */
export const Visitor = ({ name, title = name, isHidden, children }: VisitorProps) => {
  const signOut = useSignOut();
  return (
    <>
      <div className={`cluster whole ${styles.visitor}`} hidden={isHidden} data-no-print>
        <span className={`cut ${styles.name}`} dir="auto" title={title}>
          {name}
        </span>
        {children ?? (
          <Button onClick={() => signOut.mutate({ everywhere: false })} isBusy={signOut.isPending}>
            Log out
          </Button>
        )}
      </div>
      <Problem text={signOut.isError && 'You are still logged in. Please try again.'} />
    </>
  );
};

/**
 * The bar above all screens of the shop (spec, section 2), with the search as its child. The login and the checkout have only the brand,
 * Admin has its own header.
 */
export const Header = ({ children }: { children: ReactNode }) => {
  const [path] = useLocation();
  if (path === screens.admin) return null;
  const isPlain = path === screens.login || path.startsWith(screens.checkout(''));
  return (
    <header className={`cluster sticky bar ${isPlain ? '' : styles.shop}`}>
      <Brand />
      {!isPlain && (
        <>
          <nav className={`cluster whole ${styles.links}`} aria-label="Store">
            <NavigationLink href={screens.home}>Home</NavigationLink>
            <NavigationLink href={screens.orders}>Orders</NavigationLink>
            <NavigationLink href={screens.admin}>Admin</NavigationLink>
            {/* biome-ignore lint/a11y/useValidAnchor: the spec asks for the placeholder target. */}
            <a href="#" onClick={(event) => event.preventDefault()}>
              Checkout
            </a>
          </nav>
          {children}
          <Customer />
        </>
      )}
    </header>
  );
};

const NavigationLink = ({ href, children }: { href: string; children: string }) => {
  const [path] = useLocation();
  const current = path === screens.homeAlias ? screens.home : path;
  return (
    <Link href={href} aria-current={current === href ? 'page' : undefined}>
      {children}
    </Link>
  );
};

const Customer = () => {
  const { data, isPending } = useSession();
  const currentPath = useCurrentPath();
  const [, navigate] = useLocation();
  return (
    // The button is hidden while the session is unknown: it could change just before the visitor presses it.
    <Visitor name={data?.userName} isHidden={isPending}>
      {data?.email ? undefined : (
        <Button onClick={() => navigate(screens.login, { state: { returnTo: currentPath } })}>Login</Button>
      )}
    </Visitor>
  );
};

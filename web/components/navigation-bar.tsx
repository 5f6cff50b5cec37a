import { Link, useLocation } from 'wouter';
import { screens } from '../../contract/paths.ts';
import { useCurrentPath } from '../session/current-path.ts';
import { useSession, useSignOut } from '../session/session.ts';
import { Brand } from './brand.tsx';
import { Button } from './button.tsx';
import styles from './navigation-bar.module.css';

/** The navigation bar of home and orders (spec, section 2). */
export const NavigationBar = () => (
  <header className={styles.bar}>
    <Brand />
    <nav className={styles.links} aria-label="Store">
      <NavigationLink href={screens.home} alias={screens.homeAlias}>
        Home
      </NavigationLink>
      <NavigationLink href={screens.orders}>Orders</NavigationLink>
      <NavigationLink href={screens.admin}>Admin</NavigationLink>
      {/* biome-ignore lint/a11y/useValidAnchor: the spec asks for the placeholder target. */}
      <a href="#" onClick={(event) => event.preventDefault()}>
        Checkout
      </a>
    </nav>
    <Customer />
  </header>
);

const NavigationLink = ({ href, alias, children }: { href: string; alias?: string; children: string }) => {
  const [path] = useLocation();
  return (
    <Link href={href} aria-current={path === href || path === alias ? 'page' : undefined}>
      {children}
    </Link>
  );
};

const Customer = () => {
  const session = useSession();
  const signOut = useSignOut();
  const currentPath = useCurrentPath();
  const [, navigate] = useLocation();
  return (
    <>
      {/* Hidden while the session is unknown: the button could change just before the visitor presses it. */}
      <div className={styles.customer} hidden={session.isPending}>
        <span className={styles.userName} dir="auto" title={session.data?.userName}>
          {session.data?.userName}
        </span>
        {session.data?.email ? (
          <Button onClick={() => signOut.mutate({ everywhere: false })} isBusy={signOut.isPending}>
            Log out
          </Button>
        ) : (
          <Button onClick={() => navigate(screens.login, { state: { returnTo: currentPath } })}>Login</Button>
        )}
      </div>
      {signOut.isError && <p role="alert">You are still logged in. Please try again.</p>}
    </>
  );
};

/** The bar at the top of every screen, with its parts. */
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { screens } from '../../contract/paths.ts';
import { useSignOut } from '../session/session.ts';
import { storeConfig } from '../store-config.ts';
import styles from './bar.module.css';
import { Button } from './button.tsx';

export const Brand = () => (
  <Link href={screens.home} className={styles.brand}>
    {storeConfig.name}
  </Link>
);

export const Bar = (props: ComponentProps<'header'>) => (
  <header className={`cluster ${styles.bar}`} {...props} />
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
      <div className={styles.visitor} hidden={isHidden} data-no-print>
        <span className={`cut ${styles.name}`} dir="auto" title={title}>
          {name}
        </span>
        {children ?? (
          <Button onClick={() => signOut.mutate({ everywhere: false })} isBusy={signOut.isPending}>
            Log out
          </Button>
        )}
      </div>
      {signOut.isError && (
        <p className="problem" role="alert">
          You are still logged in. Please try again.
        </p>
      )}
    </>
  );
};

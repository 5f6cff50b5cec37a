import type { ComponentProps } from 'react';
import { Link } from 'wouter';
import styles from './button.module.css';

type Weight = 'main' | 'plain' | 'slight';

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  weight?: Weight;
  /** What it does is under way: it cannot be pressed, yet keeps the focus, which `disabled` would throw away. */
  isBusy?: boolean;
};

/** A button: `main` for what the screen is for, `plain` for the rest, `slight` within text and tables. */
export const Button = ({
  weight = 'plain',
  type = 'button',
  isBusy = false,
  onClick,
  ...rest
}: ButtonProps) => (
  <button
    type={type}
    className={`${styles.button} ${styles[weight]}`}
    aria-disabled={isBusy || undefined}
    onClick={isBusy ? (event) => event.preventDefault() : onClick}
    {...rest}
  />
);

/** A link that looks as a button does. */
export const ButtonLink = ({
  weight = 'plain',
  href,
  ...rest
}: Omit<ComponentProps<'a'>, 'className' | 'href' | 'ref'> & { weight?: Weight; href: string }) => (
  <Link href={href} className={`${styles.button} ${styles[weight]}`} {...rest} />
);

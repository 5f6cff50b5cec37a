import type { ComponentProps } from 'react';
import { Link } from 'wouter';
import styles from './button.module.css';

type Weight = 'main' | 'plain' | 'slight';

/** A button: `main` for what the screen is for, `plain` for the rest, `slight` within text and tables. */
export const Button = ({
  weight = 'plain',
  type = 'button',
  ...rest
}: Omit<ComponentProps<'button'>, 'className'> & { weight?: Weight }) => (
  <button type={type} className={`${styles.button} ${styles[weight]}`} {...rest} />
);

/** A link that looks as a button does. */
export const ButtonLink = ({
  weight = 'plain',
  href,
  ...rest
}: Omit<ComponentProps<'a'>, 'className' | 'href' | 'ref'> & { weight?: Weight; href: string }) => (
  <Link href={href} className={`${styles.button} ${styles[weight]}`} {...rest} />
);

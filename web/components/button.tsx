import type { ComponentProps } from 'react';
import { Link } from 'wouter';

type Variant = 'primary' | 'secondary' | 'subtle';

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  variant?: Variant;
  /** True while the action is in progress: the button ignores clicks but keeps the focus, which it would lose with `disabled`. */
  isBusy?: boolean;
};

/** A button: `primary` for the screen's main action, `subtle` within text and tables, `secondary` elsewhere. */
export const Button = ({
  variant = 'secondary',
  type = 'button',
  isBusy = false,
  onClick,
  ...rest
}: ButtonProps) => (
  <button
    type={type}
    className={`button ${variant}`}
    aria-disabled={isBusy || undefined}
    data-no-print
    onClick={isBusy ? (event) => event.preventDefault() : onClick}
    {...rest}
  />
);

export const ButtonLink = ({
  variant = 'secondary',
  href,
  ...rest
}: Omit<ComponentProps<'a'>, 'className' | 'href' | 'ref'> & {
  variant?: Variant;
  href: string;
}) => <Link href={href} className={`button ${variant}`} data-no-print {...rest} />;

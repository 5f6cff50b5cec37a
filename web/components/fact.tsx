import type { ComponentProps } from 'react';

/** A name and its value: a row of a `dl`, which has the class `facts`. */
export const Fact = ({ name, children, ...row }: ComponentProps<'div'> & { name: string }) => (
  <div {...row}>
    <dt>{name}</dt> <dd>{children}</dd>
  </div>
);

import type { ComponentProps } from 'react';

/** A name and its value: a row of a `dl`, which has the class `facts`. A value that is missing has no row. */
export const Fact = ({ name, children, ...row }: ComponentProps<'div'> & { name: string }) =>
  children !== undefined &&
  children !== false && (
    <div {...row}>
      <dt>{name}</dt> <dd>{children}</dd>
    </div>
  );

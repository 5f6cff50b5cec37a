/** The columns that the lists of the desk have. What is in each is its view's. */
import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { Price } from '../components/price.tsx';
import type { Column } from '../components/responsive-table.tsx';
import { useOpenList } from './list-context.ts';
import { Day, Time } from './time.tsx';

export type DeskColumn<Row> = Column<Row> & {
  /** Its heading sorts the list: the value of `sort` in the address, and the direction that it has. */
  sort?: { by: string; direction: 'ascending' | 'descending' };
};
type Builder<Row, Value> = (
  heading: string,
  of: (row: Row) => Value,
  more?: Partial<DeskColumn<Row>>,
) => DeskColumn<Row>;

/** A row's name. */
type Title = {
  title: ReactNode;
  /** The id of the panel that a click opens; its title is a text then. */
  opens?: string;
  tag?: ReactNode;
  /** Smaller lines below it. Empty ones are left out. */
  below?: ReactNode[];
};

export const title = <Row,>(...[heading, of, more]: Parameters<Builder<Row, Title>>): DeskColumn<Row> => ({
  heading,
  kind: 'title',
  cell: (row) => <TitleCell {...of(row)} />,
  ...more,
});

const TitleCell = ({ title, opens, tag, below = [] }: Title) => {
  const { open } = useOpenList();
  return (
    <>
      {opens === undefined ? (
        title
      ) : (
        <button type="button" className="linkish" aria-label={`Open: ${title}`} onClick={() => open(opens)}>
          {title}
        </button>
      )}
      {tag && <> {tag}</>}
      {below.map(
        (line, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name.
          line && <SecondLine key={index}>{line}</SecondLine>,
      )}
    </>
  );
};

/** The smaller line below the title of a row. */
export const SecondLine = ({ children }: { children: ReactNode }) => (
  <span className="second" dir="auto">
    {children}
  </span>
);

/** A text that nobody reads twice, such as an e-mail: what has no room on its line is cut. */
export const OneLine = ({ children }: { children: string }) => (
  <span className="cut" title={children}>
    {children}
  </span>
);

export const text = <Row,>(
  ...[heading, cell, more]: Parameters<Builder<Row, ReactNode>>
): DeskColumn<Row> => ({
  heading,
  kind: 'text',
  cell,
  ...more,
});

/** A state. */
export const label = <Row,>(
  ...[heading, cell, more]: Parameters<Builder<Row, ReactNode>>
): DeskColumn<Row> => ({
  heading,
  kind: 'state',
  width: '6.5rem',
  cell,
  ...more,
});

export const number = <Row,>(...[heading, of, more]: Parameters<Builder<Row, number>>): DeskColumn<Row> => ({
  heading,
  kind: 'number',
  width: '6rem',
  cell: (row) => of(row).toLocaleString('en'),
  isLabelledWhenCompact: true,
  ...more,
});

export const money = <Row,>(...[heading, of, more]: Parameters<Builder<Row, number>>): DeskColumn<Row> => ({
  heading,
  kind: 'number',
  width: '6.5rem',
  cell: (row) => <Price value={of(row)} />,
  ...more,
});

const moment =
  (Shown: typeof Time, width: string) =>
  <Row,>(...[heading, of, more]: Parameters<Builder<Row, string | null>>): DeskColumn<Row> => ({
    heading,
    kind: 'label',
    width,
    cell: (row) => {
      const iso = of(row);
      return iso !== null && <Shown iso={iso} />;
    },
    isLabelledWhenCompact: true,
    ...more,
  });
export const time = moment(Time, '11rem');
export const day = moment(Day, '7.5rem');

/** Buttons. */
export const action = <Row,>(cell: (row: Row) => ReactNode, width: string): DeskColumn<Row> => ({
  heading: '',
  kind: 'action',
  width,
  cell,
});

/** A button that opens the panel of a row. @param what names the row for screen readers. */
export const OpenButton = ({ name, id, what }: { name: string; id: string; what: string }) => {
  const { open } = useOpenList();
  return (
    <Button variant="subtle" aria-label={`${name}: ${what}`} onClick={() => open(id)}>
      {name}
    </Button>
  );
};

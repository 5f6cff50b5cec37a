/** The kinds of columns that the lists of the desk have. What is in each is its view's. */
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

/** @returns a function that makes a column of a heading, of the value of each row, and of what is unusual about it. */
const columnOf =
  <Value,>(usual: Pick<Column<never>, 'kind' | 'width'>, cell: (value: Value) => ReactNode) =>
  <Row,>(heading: string, of: (row: Row) => Value, more?: Partial<DeskColumn<Row>>): DeskColumn<Row> => ({
    heading,
    ...usual,
    cell: (row) => cell(of(row)),
    ...more,
  });

/** A row's name. */
type Title = {
  title: ReactNode;
  /** The id of the panel that a click opens; its title is a text then. */
  opens?: string;
  tag?: ReactNode;
  /** Smaller lines below it. Empty ones are left out. */
  below?: ReactNode[];
};

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

const asItIs = (content: ReactNode) => content;

export const title = columnOf({ kind: 'title' }, (name: Title) => <TitleCell {...name} />);
export const text = columnOf({ kind: 'text' }, asItIs);
export const detail = columnOf({ kind: 'detail' }, asItIs);
/** A state. */
export const label = columnOf({ kind: 'state', width: '6.5rem' }, asItIs);
export const money = columnOf({ kind: 'number', width: '6.5rem' }, (value: number) => (
  <Price value={value} />
));
export const number = columnOf({ kind: 'number', width: '6rem' }, (count: number) =>
  count.toLocaleString('en'),
);
export const time = columnOf(
  { kind: 'label', width: '11rem' },
  (iso: string | null) => iso !== null && <Time iso={iso} />,
);
export const day = columnOf(
  { kind: 'label', width: '7.5rem' },
  (iso: string | null) => iso !== null && <Day iso={iso} />,
);
/** Buttons. */
export const action = <Row,>(of: (row: Row) => ReactNode, width: string) =>
  columnOf({ kind: 'action', width }, asItIs)('', of);

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

/** A button that opens the panel of a row. @param what names the row for screen readers. */
export const OpenButton = ({ name, id, what }: { name: string; id: string; what: string }) => {
  const { open } = useOpenList();
  return (
    <Button variant="subtle" aria-label={`${name}: ${what}`} onClick={() => open(id)}>
      {name}
    </Button>
  );
};

/** The kinds of columns that the lists of the desk have. What is in each is its view's. */
import type { ReactNode } from 'react';
import { Price } from '../components/price.tsx';
import type { Column } from '../components/responsive-table.tsx';
import { useOpenList } from './list-context.ts';
import { Day, Time } from './time.tsx';

/** @returns a function that makes a column of a heading, of the value of each row, and of what is unusual about it. */
const columnOf =
  <Value,>(usual: Pick<Column<never>, 'kind' | 'width'>, cell: (value: Value) => ReactNode) =>
  <Row,>(heading: string, of: (row: Row) => Value, more?: Partial<Column<Row>>): Column<Row> => ({
    heading,
    ...usual,
    cell: (row) => cell(of(row)),
    ...more,
  });

/** A row's name. With `opens`, the id of a panel, a click on it opens this. */
type Title = ({ title: string; opens: string | undefined } | { title: ReactNode; opens?: never }) & {
  tag?: ReactNode;
  /** Smaller lines below it. Empty ones are left out. */
  below?: ReactNode[];
};

export const TitleCell = ({ title, opens, tag, below = [] }: Title) => {
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
export const state = columnOf({ kind: 'state', width: '6.5rem' }, asItIs);
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

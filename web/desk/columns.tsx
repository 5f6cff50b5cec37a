/** The kinds of columns that lists of the desk have, to which each view adds its content; and the context and the buttons by which a row opens its panel. */
import { Children, createContext, type ReactNode, use } from 'react';
import { BookCell } from '../components/book-cell.tsx';
import { Button } from '../components/button.tsx';
import type { CoveredBook } from '../components/cover.tsx';
import { Price } from '../components/price.tsx';
import type { Column } from '../components/responsive-table.tsx';
import { Day, Time } from './time.tsx';

type OpenList = {
  open?: (id: string) => void;
  chosen?: ReadonlySet<string>;
  toggle?: (id: string, isRange: boolean) => void;
  /** From the open panel to the rows before and after; one is undefined at an end of the list. */
  steps?: Readonly<Record<string, (() => void) | undefined>>;
};

/** Empty outside a list. */
export const ListContext = createContext<OpenList>({});

/** The panel's id for a record that is not saved yet. No record has it: ids have letters, digits, `-` and `_` alone. */
export const newId = '+';

/** @returns a function that makes a column from a heading, the value of each row, and other options. */
const columnOf =
  <Value,>(usual: Pick<Column<never>, 'kind' | 'width'>, cell: (value: Value) => ReactNode) =>
  <Row,>(heading: string, of: (row: Row) => Value, more?: Partial<Column<Row>>): Column<Row> => ({
    heading,
    ...usual,
    cell: (row) => cell(of(row)),
    ...more,
  });

/** The name of a row. If `opens`, the id of a panel, is given, a click on the name opens that panel. */
type Title = {
  title: string;
  opens?: string | undefined;
  tag?: ReactNode;
  /** The smaller lines below the name; empty lines are left out. */
  below?: ReactNode[];
};

const TitleCell = ({ title, opens, tag, below = [] }: Title) => {
  const { open } = use(ListContext);
  return (
    <>
      {opens === undefined ? (
        <span>{title}</span>
      ) : (
        <button type="button" className="linkish" aria-label={`Open: ${title}`} onClick={() => open?.(opens)}>
          {title}
        </button>
      )}
      {tag && <> {tag} </>}
      {Children.map(below, (line) => line && <SecondLine>{line}</SecondLine>)}
    </>
  );
};

/** A button beside the heading of a list, which opens the panel of an id. */
export const Opener = ({ name, id }: { name: string; id: string }) => {
  const { open } = use(ListContext);
  return <Button onClick={() => open?.(id)}>{name}</Button>;
};

const asItIs = (content: ReactNode) => content;

export const title = columnOf({ kind: 'title' }, (name: Title) => <TitleCell {...name} />);
export const book = columnOf({ kind: 'title' }, ({ cover, ...name }: Title & { cover: CoveredBook }) => (
  <BookCell book={cover} isOneLine title={<TitleCell {...name} />} />
));
export const text = columnOf({ kind: 'text' }, asItIs);
export const detail = columnOf({ kind: 'detail' }, asItIs);
export const label = columnOf({ kind: 'label' }, asItIs);
export const state = columnOf({ kind: 'state', width: '7.5rem' }, asItIs);
/** A figure with words, or one that can be changed in its row. */
export const control = columnOf({ kind: 'number', width: '6rem' }, asItIs);
export const amount = columnOf(
  { kind: 'number', width: '6.5rem' },
  (value: number) => value > 0 && <Price value={value} />,
);
export const number = columnOf(
  { kind: 'number', width: '6rem' },
  (count: number) => count > 0 && count.toLocaleString('en'),
);
export const time = columnOf(
  { kind: 'label', width: '11rem' },
  (iso: string | null) => iso && <Time iso={iso} />,
);
export const day = columnOf(
  { kind: 'label', width: '6.5rem' },
  (iso: string | null) => iso && <Day iso={iso} />,
);
export const action = <Row,>(of: (row: Row) => ReactNode, width: string) =>
  columnOf({ kind: 'action', width }, asItIs)('', of);

export const SecondLine = ({ children }: { children: ReactNode }) => (
  <span className="second" dir="auto">
    {children}
  </span>
);

/** A column for text that is seldom read, such as an e-mail: text that does not fit on the line is cut. */
export const OneLine = ({ children, isSoft }: { children: string; isSoft?: boolean }) => (
  <span className={isSoft ? 'cut soft' : 'cut'} title={children}>
    {children}
  </span>
);

import type { ReactNode } from 'react';
import type { FoundList } from '../list/use-list.ts';
import { Loading } from './loading.tsx';
import { TryAgain } from './try-again.tsx';

type ListedProps<Item> = {
  found: FoundList<Item>;
  problem: string;
  whenEmpty: ReactNode;
  children: (items: Item[]) => ReactNode;
};

/** Shows the items of a list, in each of the query's states. */
export const Listed = <Item,>({ found, problem, whenEmpty, children }: ListedProps<Item>) => {
  const { list, items, isRestoring } = found;
  if (list.isError && !items)
    return <TryAgain problem={problem} error={list.error} onTryAgain={list.refetch} />;
  if (!items || isRestoring) return <Loading />;
  return items.length > 0 ? children(items) : whenEmpty;
};

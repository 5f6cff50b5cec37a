/** The pages that the owner writes, such as the imprint. */
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { ShopPage } from '../../../contract/desk/shop-pages.ts';
import { paths } from '../../../contract/paths.ts';
import { list } from '../../api/calls.ts';
import { Button } from '../../components/button.tsx';
import { ActButton } from '../acts.tsx';
import { action, text, time, title } from '../columns.tsx';
import { useOpenList } from '../list-context.ts';
import { listView } from '../list-view.tsx';
import { changePage, newPageId, PagePanel } from './page-panel.tsx';

const AddPage = () => {
  const { open } = useOpenList();
  return <Button onClick={() => open(newPageId)}>Add a page</Button>;
};

const shownColumns = [
  title<ShopPage>('Page', ({ title, slug }) => ({ title, opens: slug })),
  text<ShopPage>('Address', ({ slug }) => paths.shopPage(slug)),
  time<ShopPage>('Changed', ({ at }) => at),
];

const removedColumns = [
  title<ShopPage>('Page', ({ title }) => ({ title })),
  text<ShopPage>('Address', ({ slug }) => paths.shopPage(slug)),
  time<ShopPage>('Removed', ({ at }) => at),
  action<ShopPage>(
    ({ slug, version, title }) => (
      <ActButton
        name="Restore"
        what={title}
        run={() => changePage(slug, { version }, `Restored ${title}.`)}
        problem="The page was not restored."
      />
    ),
    '7rem',
  ),
];

export const Pages = listView<ShopPage>({
  name: 'Pages',
  about: 'Imprint, terms, privacy and others, which the foot of every screen links.',
  one: 'page',
  query: (filters) => list('desk', deskPaths.pages, filters),
  keyOf: ({ slug }) => slug,
  columns: ({ state }) => (state === 'removed' ? removedColumns : shownColumns),
  choices: [{ by: 'state', label: 'Show', names: { '': 'In the shop', removed: 'Removed' } }],
  Actions: AddPage,
  panel: { by: 'page', Panel: PagePanel },
  empty: {
    none: 'No pages yet. A shop in the European Union needs an imprint, terms and a privacy notice.',
    matching: 'No page was removed.',
    all: 'Show the pages in the shop',
  },
});

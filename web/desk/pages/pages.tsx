import { useQuery } from '@tanstack/react-query';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { ShopPage, ShopPageChange, ShopPageWithHistory } from '../../../contract/desk/shop-pages.ts';
import { paths } from '../../../contract/paths.ts';
import { list, read, send } from '../../api/calls.ts';
import { callApi } from '../../api/client.ts';
import { Fetched } from '../../components/fetched.tsx';
import { ActButton } from '../acts.tsx';
import { action, newId, Opener, text, time, title } from '../columns.tsx';
import { EditForm } from '../edit-form.tsx';
import { listView, type PanelOf } from '../list-view.tsx';
import { Panel } from '../panel.tsx';
import { Time } from '../time.tsx';

/** @param before the version to which Undo goes back; undefined for a page that Undo removes. */
const changePage = async (slug: string, change: ShopPageChange, text: string, before?: ShopPage) => {
  const set = (change: ShopPageChange) => send('POST', deskPaths.page(slug), change);
  await set(change);
  return { text, undo: () => set(before ? { version: before.version } : { isRemoved: true }) };
};

/** @returns the page that a new one at the same address replaces; undefined for none. */
const pageAt = async (slug: string) =>
  (await callApi<ShopPage[]>(deskPaths.pages)).body.find((page) => page.slug === slug);

const PagePanel = ({ id, close }: PanelOf) => {
  const isNew = id === newId;
  const found = useQuery({ ...read<ShopPageWithHistory>('desk', deskPaths.page(id)), enabled: !isNew });
  const form = (page?: ShopPageWithHistory) => <PageForm page={page} close={close} />;
  return (
    <Panel heading={isNew ? 'Add a page' : 'Edit page'} onClose={close}>
      {isNew ? (
        form()
      ) : (
        <Fetched query={found} problem="The page could not be fetched.">
          {form}
        </Fetched>
      )}
    </Panel>
  );
};

const slugField = {
  name: 'slug',
  label: 'Address, after /pages/',
  hint: 'Small letters, digits and hyphens.',
  pattern: '[a-z0-9\\-]{1,60}',
  required: true,
} as const;

const textField = {
  name: 'markdown',
  label: 'Text, in Markdown',
  type: 'lines',
  hint: 'It begins with the title: # Imprint. Then ## for a heading, - for a list, [words](https://…) for a link.',
  required: true,
} as const;

const PageForm = ({ page, close }: { page: ShopPageWithHistory | undefined; close: () => void }) => {
  const { history = [] } = page ?? {};
  return (
    <>
      <EditForm
        fields={[{ ...slugField, readOnly: page !== undefined }, textField]}
        values={{ ...page }}
        save={async ({ slug, markdown }) =>
          changePage(slug, { markdown }, `Saved ${paths.shopPage(slug)}.`, page ?? (await pageAt(slug)))
        }
        onDone={close}
        remove={
          page && {
            what: page.title,
            run: () => changePage(page.slug, { isRemoved: true }, `Removed ${page.title}.`, page),
          }
        }
      />
      {page && (
        <a className="linkish" href={paths.shopPage(page.slug)}>
          See the page
        </a>
      )}
      {history.length > 0 && (
        <details>
          <summary className="linkish">Earlier texts</summary>
          <ul className="ruled">
            {history.map((one) => (
              <li key={one.version} className="cluster ends">
                <span>
                  <bdi>{one.title}</bdi>, <Time iso={one.at} />
                </span>
                {bringBack('Go back to it', one, page, close)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

/** A button that brings back an earlier text of a page, or a page that was removed. */
const bringBack = (name: string, to: ShopPage, from?: ShopPage, onDone?: () => void) => (
  <ActButton
    name={name}
    what={to.title}
    run={() => changePage(to.slug, { version: to.version }, `${to.title} is back.`, from)}
    onDone={onDone}
  />
);

export const Pages = listView<ShopPage>({
  name: 'Pages',
  about: 'Imprint, terms, privacy and others, which the foot of every screen links.',
  one: 'page',
  query: (filters) => list('desk', deskPaths.pages, filters),
  keyOf: ({ slug }) => slug,
  columns: ({ state }) => [
    title('Page', ({ title, slug }) => ({ title, opens: state ? undefined : slug })),
    text('Address', ({ slug }) => paths.shopPage(slug)),
    time(state ? 'Removed' : 'Changed', ({ at }) => at),
    ...(state ? [restore] : []),
  ],
  choices: [{ by: 'state', label: 'Show', names: () => ({ '': 'In the shop', removed: 'Removed' }) }],
  Actions: () => <Opener name="Add a page" id={newId} />,
  Panel: PagePanel,
  none: 'No pages yet. A shop in the European Union needs an imprint, terms and a privacy notice.',
});

const restore = action<ShopPage>((page) => bringBack('Restore', page), '7rem');

import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useRef, useState } from 'react';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { ShopPageChange, ShopPageWithHistory } from '../../../contract/desk/shop-pages.ts';
import { paths } from '../../../contract/paths.ts';
import { read, send } from '../../api/calls.ts';
import { Button } from '../../components/button.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { Field, LinesField } from '../../components/field.tsx';
import { ActButton, type Done, useAct } from '../acts.tsx';
import type { PanelOf } from '../list-view.tsx';
import { Panel } from '../panel.tsx';
import { Time } from '../time.tsx';

/** The panel's id for a new page. No page has this slug. */
export const newPageId = '+';

/** @param version to which Undo goes back; undefined for a new page, which Undo removes. */
export const changePage = async (
  slug: string,
  change: ShopPageChange,
  text: string,
  version?: number,
): Promise<Done> => {
  const path = deskPaths.page(slug);
  await send('POST', path, change);
  return { text, undo: () => send('POST', path, version === undefined ? { isRemoved: true } : { version }) };
};

/** The panel in which the owner writes a page. */
export const PagePanel = ({ id, close }: PanelOf) => {
  const isTyped = useRef(false);
  const mayClose = () => !isTyped.current || window.confirm('Discard what you have typed?');
  const onTyped = (isOther: boolean) => {
    isTyped.current = isOther;
  };
  return (
    <Panel heading={id === newPageId ? 'Add a page' : 'Edit page'} mayClose={mayClose} onClose={close}>
      {id === newPageId ? (
        <Editor page={undefined} onTyped={onTyped} close={close} />
      ) : (
        <ExistingPage slug={id} onTyped={onTyped} close={close} />
      )}
    </Panel>
  );
};

type EditorProps = { onTyped: (isOther: boolean) => void; close: () => void };

const ExistingPage = ({ slug, ...editor }: EditorProps & { slug: string }) => (
  <Fetched
    query={useQuery(read<ShopPageWithHistory>('desk', deskPaths.page(slug)))}
    problem="The page could not be fetched."
  >
    {(page) => <Editor key={page.version} page={page} {...editor} />}
  </Fetched>
);

const Editor = ({ page, onTyped, close }: EditorProps & { page: ShopPageWithHistory | undefined }) => {
  const { act, isBusy } = useAct();
  const [slug, setSlug] = useState(page?.slug ?? '');
  const [markdown, setMarkdown] = useState(page?.markdown ?? '');
  const wrongSlug =
    slug === '' || /^[a-z0-9-]{1,60}$/.test(slug)
      ? undefined
      : 'Small letters, digits and hyphens, at most 60.';
  const isReady = slug !== '' && !wrongSlug && markdown.trim() !== '';
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const run = () => changePage(slug, { markdown }, `Saved ${paths.shopPage(slug)}.`, page?.version);
    const onDone = () => {
      onTyped(false);
      close();
    };
    if (isReady && !isBusy) act({ run, problem: 'The page was not saved.', onDone });
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      {page ? (
        <p>
          <a href={paths.shopPage(slug)} target="_blank" rel="noopener">
            {paths.shopPage(slug)}
          </a>
        </p>
      ) : (
        <Field
          label="Address, after /pages/"
          placeholder="imprint"
          value={slug}
          error={wrongSlug}
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => setSlug(target.value)}
        />
      )}
      <LinesField
        label="Text, in Markdown"
        placeholder={'# Imprint\n\nHartfield Books\n1 Hartfield Lane, Highbury'}
        hint="It begins with the title: # Imprint. Then ## for a heading, - for a list, [words](https://…) for a link."
        text={markdown}
        onType={(text) => {
          setMarkdown(text);
          onTyped(text !== (page?.markdown ?? ''));
        }}
      />
      <div className="cluster tight">
        <Button type="submit" variant="primary" isBusy={isBusy || !isReady}>
          {page ? 'Save changes' : 'Publish'}
        </Button>
        {page && (
          <ActButton
            name="Remove"
            what={page.title}
            variant="secondary"
            problem="The page was not removed."
            onDone={close}
            run={() => changePage(slug, { isRemoved: true }, `Removed ${page.title}.`, page.version)}
          />
        )}
      </div>
      {page && <History page={page} close={close} />}
    </form>
  );
};

const History = ({
  page: { slug, version, history },
  close,
}: {
  page: ShopPageWithHistory;
  close: () => void;
}) =>
  history.length > 0 && (
    <details>
      <summary className="linkish">Earlier texts</summary>
      <ul className="ruled">
        {history.map(({ version: earlier, title, at }) => (
          <li key={earlier} className="cluster ends">
            <span>
              <bdi>{title}</bdi>{' '}
              <span className="soft">
                <Time iso={at} />
              </span>
            </span>
            <ActButton
              name="Go back to it"
              what={title}
              run={() => changePage(slug, { version: earlier }, 'The earlier text is back.', version)}
              problem="The page was not changed."
              onDone={close}
            />
          </li>
        ))}
      </ul>
    </details>
  );

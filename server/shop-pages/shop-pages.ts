/** The pages that the owner writes: imprint, terms, privacy and others. A row is a version of a page, and the last one of a slug counts. */

import {
  maxPageBytes,
  type ShopPage,
  type ShopPageChange,
  type ShopPageWithHistory,
} from '../../contract/desk/shop-pages.ts';
import { tidyText } from '../../contract/pasted-text.ts';
import { type Actor, recordActivity } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { timeText } from '../database/times.ts';
import { fieldProblem, missing, Problem } from '../http/problems.ts';
import { renderPage } from './markdown.ts';

/** The most pages: the foot of every screen links them all. */
const maxPages = 30;
/** The title is a link there, and the name of a browser's tab. */
const maxTitleLength = 150;
const maxHistory = 100;

const versions = (db: Db) => db.selectFrom('pages').select(['slug', 'title', 'seq as version', 'at']);

const latest = (db: Db, isRemoved = false) =>
  versions(db)
    .where('seq', 'in', ({ selectFrom }) =>
      selectFrom('pages')
        .select(({ fn }) => fn.max('seq').as('seq'))
        .groupBy('slug'),
    )
    .where('is_removed', '=', Number(isRemoved));

const present = <Row extends { at: number }>(row: Row) => ({ ...row, at: timeText(row.at) });

/** Lists the pages by their titles, without their texts. */
export async function listPages(db: Db, isRemoved = false): Promise<ShopPage[]> {
  return (await latest(db, isRemoved).orderBy('title').orderBy('slug').execute()).map(present);
}

const shownPage = (db: Db, slug: string) => latest(db).select('markdown').where('slug', '=', slug);

/** @throws {Problem} PAGE_NOT_FOUND, also for a page that was removed. */
export const findPage = async (db: Db, slug: string) =>
  present(await shownPage(db, slug).executeTakeFirstOrThrow(missing('PAGE_NOT_FOUND')));

export async function findPageWithHistory(db: Db, slug: string): Promise<ShopPageWithHistory> {
  const page = await findPage(db, slug);
  const earlier = versions(db)
    .where('slug', '=', slug)
    .where('seq', '<', page.version)
    .where('is_removed', '=', 0)
    .orderBy('seq', 'desc')
    .limit(maxHistory);
  return { ...page, history: (await earlier.execute()).map(present) };
}

/** Adds a version; the same text again adds none. @throws {Problem} PAGE_NOT_FOUND, TOO_MANY_PAGES, VALIDATION_FAILED. */
export async function changePage(db: Db, slug: string, change: ShopPageChange, actor: Actor): Promise<void> {
  await db.transaction().execute(async (db) => {
    const page = await shownPage(db, slug).executeTakeFirst();
    const version = change.version ?? page?.version ?? 0;
    const markdown =
      change.markdown === undefined
        ? await findText(db, slug, version)
        : tidyText(change.markdown).replace(/\r\n?/g, '\n');
    const isRemoval = change.isRemoved === true;
    if (page?.markdown === markdown && !isRemoval) return;
    if (!page && (await listPages(db)).length >= maxPages) throw new Problem('TOO_MANY_PAGES');
    const title = titleOf(markdown);
    const row = { slug, title, markdown, is_removed: Number(isRemoval), at: Date.now() };
    await db.insertInto('pages').values(row).execute();
    const action = isRemoval ? 'page-removed' : 'page-set';
    await recordActivity(db, action, actor, { subject: slug, details: { title } });
  });
}

async function findText(db: Db, slug: string, version: number): Promise<string> {
  const rows = db.selectFrom('pages').select('markdown').where('seq', '=', version).where('slug', '=', slug);
  return (await rows.executeTakeFirstOrThrow(missing('PAGE_NOT_FOUND'))).markdown;
}

/** @throws {Problem} VALIDATION_FAILED for a text that cannot be a page. */
function titleOf(markdown: string): string {
  const { title } = renderPage(markdown);
  const faults = [
    Buffer.byteLength(markdown) > maxPageBytes && 'Must not be larger than 100 KB.',
    title === '' && 'Begin with the title as a heading, such as # Imprint.',
    [...title].length > maxTitleLength && `The title must not be longer than ${maxTitleLength} characters.`,
  ];
  const fault = faults.find((one) => one !== false);
  if (fault) throw fieldProblem('markdown', fault);
  return title;
}

/** The pages that the owner writes: imprint, terms, privacy and others. A row is a version of a page, and the last one of a slug is shown. */

import { maxPageBytes, type ShopPage, type ShopPageWithHistory } from '../../contract/desk/shop-pages.ts';
import { type Actor, recordActivity } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { timeText } from '../database/times.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import { renderPage } from './markdown.ts';

/** The most pages: the foot of every screen links them all. */
const maxPages = 30;
/** The title is a link there, and the name of a browser's tab. */
const maxTitleLength = 150;
const maxHistory = 100;

const latest = (db: Db, isRemoved = false) =>
  db
    .selectFrom('pages')
    .select(['slug', 'title', 'seq as version', 'at'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('pages as later')
            .select('later.seq')
            .whereRef('later.slug', '=', 'pages.slug')
            .whereRef('later.seq', '>', 'pages.seq'),
        ),
      ),
    )
    .where('markdown', isRemoved ? 'is' : 'is not', null);

/** Lists the pages by their titles, without their texts. */
export async function listPages(db: Db, isRemoved = false): Promise<ShopPage[]> {
  const pages = await latest(db, isRemoved).orderBy('title').orderBy('slug').execute();
  return pages.map((page) => ({ ...page, at: timeText(page.at) }));
}

/** @throws {Problem} PAGE_NOT_FOUND, also for a page that was removed. */
export async function findPage(db: Db, slug: string) {
  const page = await latest(db).select('markdown').where('slug', '=', slug).executeTakeFirst();
  if (!page) throw new Problem('PAGE_NOT_FOUND');
  return { ...page, markdown: page.markdown ?? '', at: timeText(page.at) };
}

const versionsOf = (db: Db, slug: string) => db.selectFrom('pages').where('slug', '=', slug);

export async function findPageWithHistory(db: Db, slug: string): Promise<ShopPageWithHistory> {
  const page = await findPage(db, slug);
  const versions = await versionsOf(db, slug)
    .select(['seq as version', 'title', 'at', ({ eb }) => eb('markdown', 'is', null).as('isRemoved')])
    .where('seq', '<', page.version)
    .orderBy('seq', 'desc')
    .limit(maxHistory)
    .execute();
  const history = versions.map((one) => ({
    ...one,
    at: timeText(one.at),
    isRemoved: Boolean(one.isRemoved),
  }));
  return { ...page, history };
}

/** @returns a sentence about a text that cannot be a page; undefined for one that can. */
export function faultOf(markdown: string, { title }: { title: string }): string | undefined {
  if (Buffer.byteLength(markdown) > maxPageBytes) return 'Must not be larger than 100 KB.';
  if (title === '') return 'Begin with the title as a heading, such as # Imprint.';
  return [...title].length > maxTitleLength
    ? `The title must not be longer than ${maxTitleLength} characters.`
    : undefined;
}

/** Adds a version; the same text again adds none. @throws {Problem} VALIDATION_FAILED; TOO_MANY_PAGES. */
export async function setPage(db: Db, slug: string, markdown: string, actor: Actor): Promise<void> {
  const { title } = renderPage(markdown);
  const fault = faultOf(markdown, { title });
  if (fault !== undefined) throw fieldProblem('markdown', fault);
  await db.transaction().execute(async (db) => {
    const pages = await latest(db).select('markdown').execute();
    const page = pages.find((one) => one.slug === slug);
    if (page?.markdown === markdown) return;
    if (!page && pages.length >= maxPages) throw new Problem('TOO_MANY_PAGES');
    await addVersion(db, { slug, title, markdown }, actor);
  });
}

/** @returns the text of a version; of a removal, the text before it. @throws {Problem} PAGE_NOT_FOUND. */
export async function findVersion(db: Db, slug: string, version: number): Promise<string> {
  const found = await versionsOf(db, slug)
    .select('markdown')
    .where('seq', '<=', version)
    .where('markdown', 'is not', null)
    .orderBy('seq', 'desc')
    .executeTakeFirst();
  if (!found?.markdown) throw new Problem('PAGE_NOT_FOUND');
  return found.markdown;
}

/** The texts of a removed page are kept. @throws {Problem} PAGE_NOT_FOUND. */
export async function removePage(db: Db, slug: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (db) => {
    const { title } = await findPage(db, slug);
    await addVersion(db, { slug, title, markdown: null }, actor);
  });
}

type NewVersion = { slug: string; title: string; markdown: string | null };

async function addVersion(db: Db, version: NewVersion, actor: Actor): Promise<void> {
  await db
    .insertInto('pages')
    .values({ ...version, at: Date.now() })
    .execute();
  const action = version.markdown === null ? 'page-removed' : 'page-set';
  await recordActivity(db, action, actor, { subject: version.slug, details: { title: version.title } });
}

import { FrontTable, FrontWords } from '../../../contract/desk/front-table.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { tidyText } from '../../../contract/pasted-text.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { findFrontTable, lockFrontTable } from '../front-table.ts';

export const editFrontWords = act({
  method: 'PATCH',
  path: deskPaths.frontTable,
  operationId: 'editFrontTable',
  summary: 'Changes the words of the front table',
  description: 'An empty text takes the owner’s away.',
  scope: 'catalogue',
  limit: 'catalogue-changes',
  input: { body: FrontWords },
  output: FrontTable,
  async run({ db, actor, onShelfChanged }, { body }) {
    await db.transaction().execute(async (db) => {
      const old = await lockFrontTable(db);
      const heading = tidyText(body.heading ?? old.heading);
      const words = tidyText(body.words ?? old.words);
      if (heading === old.heading && words === old.words) return;
      await db.updateTable('front_table').set({ heading, words }).execute();
      await recordActivity(db, 'front-table-edited', actor, {
        details: {
          ...(heading !== old.heading && { oldHeading: old.heading, newHeading: heading }),
          ...(words !== old.words && { oldWords: old.words, newWords: words }),
        },
      });
    });
    onShelfChanged();
    return await findFrontTable(db);
  },
});

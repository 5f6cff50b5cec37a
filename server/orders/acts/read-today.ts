import { deskPaths } from '../../../contract/desk/paths.ts';
import { Today } from '../../../contract/desk/today.ts';
import { act } from '../../access/act.ts';
import { findToday } from '../today.ts';

export const readToday = act({
  method: 'GET',
  path: deskPaths.today,
  operationId: 'findToday',
  summary: 'What waits for the owner, the revenue of this week and the last one, and the last ten orders',
  output: Today,
  run: ({ listDb: db, space, zone, outbox: { senders } }) =>
    findToday({ db, space }, { zone, sendsMail: senders.mail }),
});

import { FrontTable } from '../../../contract/desk/front-table.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { act } from '../../access/act.ts';
import { findFrontTable } from '../front-table.ts';

export const readFrontTable = act({
  method: 'GET',
  path: deskPaths.frontTable,
  operationId: 'findFrontTable',
  summary: 'The front table: the owner’s words, and the chosen books that are for sale',
  scope: 'catalogue',
  output: FrontTable,
  run: ({ listDb }) => findFrontTable(listDb),
});

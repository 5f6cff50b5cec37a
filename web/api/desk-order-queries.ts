/** The first view of the desk. */
import { deskPaths } from '../../contract/desk/paths.ts';
import type { Today } from '../../contract/desk/today.ts';
import { read } from './calls.ts';

export const todayQuery = read<Today>('desk', deskPaths.today);

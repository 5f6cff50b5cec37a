import { statements } from './statements.ts';

export const up = statements(() => ['alter table books add column changed_at bigint']);

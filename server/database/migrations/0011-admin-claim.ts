import { statements } from './statements.ts';

export const up = statements(({ text }) => [`alter table sessions add column admin_claim ${text}`]);

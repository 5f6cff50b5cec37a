import { statements } from './statements.ts';

/** The desk finds customers by the beginning of their name, or of its last word. `lower` changes ASCII letters only, as for e-mails. */
export const up = statements(() => [
  'create index customers_name on customers (lower(name))',
  `create index customers_last_name on customers
    (lower(substr(name, length(rtrim(name, replace(name, ' ', ''))) + 1)))`,
]);

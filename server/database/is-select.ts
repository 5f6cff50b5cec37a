/** Whether a statement is a query: it begins with `select`. */
export const isSelect = (sql: string): boolean => /^\s*select\b/i.test(sql);

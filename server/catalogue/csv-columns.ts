/** The columns of the catalogue's CSV file, in the order in which the export writes them. */
export const csvColumns = ['id', 'title', 'author', 'price', 'image', 'keywords'] as const;
export type CsvColumn = (typeof csvColumns)[number];

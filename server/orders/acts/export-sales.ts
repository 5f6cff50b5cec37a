import { Type } from 'typebox';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { SalesQuery } from '../../../contract/desk/sales.ts';
import { fileAct } from '../../access/act.ts';
import { csvLine } from '../../exports/csv-line.ts';
import { listSales } from '../sales.ts';

export const exportSales = fileAct({
  method: 'GET',
  path: deskPaths.salesExport,
  operationId: 'exportSales',
  summary: 'Orders and revenue by day, week or month as a CSV file, oldest first',
  description: 'CSV as RFC 4180 defines it, in UTF-8 with a byte order mark.',
  scope: 'orders',
  input: { query: SalesQuery },
  files: { 'text/csv': Type.Any() },
  async run({ listDb, zone }, { query: { by = 'day', from, to } }) {
    // Before the response begins: the days may be wrong.
    const sales = await listSales(listDb, { by, from, to }, { zone });
    const rows = sales.map((row) => [row.from, row.to, String(row.orders), row.revenue.toFixed(2)]);
    const lines = [['from', 'to', 'orders', 'revenue'], ...rows].map(csvLine);
    return {
      name: ['sales', 'by', by, ...(from ? ['from', from] : []), ...(to ? ['to', to] : [])],
      ending: 'csv',
      type: 'text/csv; charset=utf-8',
      read: async () => ['\uFEFF', ...lines],
    };
  },
});

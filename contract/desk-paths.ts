/** Every call of the desk. They are not in paths.ts, which every page of the shop loads. */

const api = '/desk/api';

export const deskPaths = {
  activity: `${api}/activity`,
  orders: `${api}/orders`,
  ordersSent: `${api}/orders/sent`,
  ordersExport: `${api}/orders/export`,
} as const;

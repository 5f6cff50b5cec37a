/** How many books a customer has, in a header of a long list of orders. Without schemas: the browser loads it. */

/** The number and the sum of a customer's orders that were not withdrawn. The amount is in dollars. */
export type OrdersTotal = { books: number; amount: number };

/** On the first page of a list that has more: what all its pages have, as in `208;2701.92`. */
export const ordersTotalHeader = 'orders-total';

export const writeOrdersTotal = ({ books, amount }: OrdersTotal): string => `${books};${amount.toFixed(2)}`;

export const readOrdersTotal = (header: string | null): OrdersTotal | undefined => {
  const [books, amount] = header?.split(';') ?? [];
  return books && amount ? { books: Number(books), amount: Number(amount) } : undefined;
};

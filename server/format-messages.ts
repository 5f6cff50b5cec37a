const amount = 'Write an amount with at most two decimals, such as 12.99.';

/** What is said of a value that is not of a format that the contract names. */
export const formatMessages: Readonly<Record<string, string>> = {
  amount,
  'amount-text': amount,
  'book-image': 'Must be an https: address or an image uploaded to the store.',
  line: 'Must not hold control characters.',
};

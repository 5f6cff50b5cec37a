import type { FieldError } from '../../contract/problem.ts';

export const problems = {
  VALIDATION_FAILED: { status: 400, title: 'Some of what was sent cannot be used.' },
  WAY_MISSING: { status: 400, title: 'Choose how to get the book.' },
  MALFORMED_BODY: { status: 400, title: 'The body could not be read.' },
  MALFORMED_REQUEST: { status: 400, title: 'The request could not be read.' },
  TWO_HOSTS: { status: 400, title: 'The request names more than one host.' },
  SIGN_IN_REQUIRED: { status: 401, title: 'Sign in first.' },
  TOKEN_INVALID: { status: 401, title: 'The store does not know this bearer token.' },
  TOKEN_REQUIRED: { status: 401, title: 'This address needs a bearer token.' },
  NOT_ALLOWED: { status: 403, title: 'This account may not do that.' },
  EMAIL_NOT_VERIFIED: { status: 403, title: 'The e-mail of this account is not verified.' },
  CROSS_SITE_REQUEST: { status: 403, title: 'Only the store’s own pages may send this.' },
  NOT_FOUND: { status: 404, title: 'There is nothing at this address.' },
  BOOK_NOT_FOUND: { status: 404, title: 'There is no such book.' },
  ORDER_NOT_FOUND: { status: 404, title: 'There is no such order.' },
  BOOK_GONE: { status: 404, title: 'This book is no longer for sale.' },
  WAY_NOT_FOUND: { status: 404, title: 'There is no such way to get a book.' },
  CUSTOMER_NOT_FOUND: { status: 404, title: 'There is no such customer.' },
  PAGE_NOT_FOUND: { status: 404, title: 'There is no such page.' },
  IMAGE_NOT_FOUND: { status: 404, title: 'There is no such image.' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This address does not take that method.' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive.' },
  ALREADY_SENT: { status: 409, title: 'This order was sent already.' },
  WITHDRAWN: { status: 409, title: 'This order was withdrawn.' },
  ALREADY_PAID: { status: 409, title: 'There is nothing to pay for this order.' },
  NOT_PAID: { status: 409, title: 'This order is not paid.' },
  NOT_WITHDRAWN: { status: 409, title: 'This order was not withdrawn.' },
  PAID_TOO_LATE: { status: 409, title: 'The days in which this order could be paid are over.' },
  REFUNDED: { status: 409, title: 'The provider has refunded this order, which cannot be undone.' },
  TOO_LATE: { status: 409, title: 'The days in which this order could be withdrawn are over.' },
  PRICE_CHANGED: { status: 409, title: 'The price of this book has changed.' },
  DELIVERY_CHANGED: { status: 409, title: 'The delivery of this book has changed.' },
  SOLD_OUT: { status: 409, title: 'This book is sold out.' },
  ORDERED_BOOK_CHANGED: { status: 409, title: 'Somebody else has changed this book.' },
  FRONT_TABLE_FULL: { status: 409, title: 'The front table has six books already.' },
  TOO_MANY_PAGES: { status: 409, title: 'The shop has 30 pages already.' },
  TOO_MANY_WAYS: { status: 409, title: 'The shop has 50 ways already.' },
  COPIES_CHANGED: { status: 409, title: 'The number of copies has changed.' },
  BOOK_CHANGED: { status: 412, title: 'Somebody else has changed this book.' },
  BODY_TOO_LARGE: { status: 413, title: 'That is larger than the store takes.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The store does not read this content type.' },
  MISDIRECTED_REQUEST: { status: 421, title: 'The store is not reached under this name.' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, title: 'This Idempotency-Key was used for another request.' },
  PRECONDITION_REQUIRED: { status: 428, title: 'Say in If-Match which version is meant.' },
  TOO_MANY_REQUESTS: { status: 429, title: 'That was too often. Try again in a while.' },
  IMAGE_QUOTA_REACHED: { status: 429, title: 'Too many uploaded images are on no book yet.' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The request’s headers are larger than the store takes.' },
  BANK_FILE_UNREADABLE: { status: 400, title: 'The store cannot read this file of a bank.' },
  IMAGE_UNREADABLE: { status: 400, title: 'This file is not an image that the store can show.' },
  IMAGE_EMPTY: { status: 400, title: 'This file is empty.' },
  IMAGE_FORMAT: { status: 400, title: 'The store does not take images of this format.' },
  IMAGE_TOO_LARGE: { status: 400, title: 'This image has more pixels than the store takes.' },
  IMAGE_DAMAGED: { status: 400, title: 'This image is cut off or damaged.' },
  IMAGE_TOO_SLOW: { status: 400, title: 'This image takes too long to read.' },
  INTERNAL: { status: 500, title: 'Something went wrong in the store.' },
  BUSY: { status: 503, title: 'The store is busy. Try again shortly.' },
  UNAVAILABLE: { status: 503, title: 'The store cannot do this right now. Try again shortly.' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;
// The type of Object.keys does not have the names of the object.
export const allCodes = Object.keys(problems) as readonly ProblemCode[];

/** Problems that have the code of another for clients. ORDERED_BOOK_CHANGED has another status: an order has no If-Match that could fail. */
const sentCodes: Partial<Record<ProblemCode, ProblemCode>> = {
  ORDERED_BOOK_CHANGED: 'BOOK_CHANGED',
  PAID_TOO_LATE: 'TOO_LATE',
};

export const sentCode = (code: ProblemCode): ProblemCode => sentCodes[code] ?? code;

export const problemCodes: ReadonlySet<string> = new Set(allCodes.filter((code) => !(code in sentCodes)));

type ProblemDetails = {
  detail?: string;
  errors?: readonly FieldError[];
  /** The wait in seconds, for `Retry-After` (RFC 9110, section 10.2.3). */
  retryAfterS?: number;
  cause?: unknown;
};

export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly detail: string | undefined;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterS: number | undefined;

  constructor(code: ProblemCode, { detail, errors, retryAfterS, cause }: ProblemDetails = {}) {
    super(problems[code].title, { cause });
    this.code = sentCode(code);
    this.status = problems[code].status;
    this.detail = detail;
    this.errors = errors;
    this.retryAfterS = retryAfterS ?? (this.status === 503 ? 2 : undefined);
  }
}

/** For a query that must find a row. */
export const missing = (code: ProblemCode) => (): Problem => new Problem(code);

export const fieldProblem = (field: string, message: string): Problem =>
  new Problem('VALIDATION_FAILED', { errors: [{ field, message }] });

export const problemJson = 'application/problem+json; charset=utf-8';

export function problemBody({ code, status, message: title, detail, errors }: Problem, requestId: string) {
  const type = `urn:colophon:problem:${code.toLowerCase().replaceAll('_', '-')}`;
  return { type, title, status, code, requestId, detail, errors };
}

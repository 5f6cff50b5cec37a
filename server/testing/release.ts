/** What is kept of a release, for the tests of later ones (server/database/fixtures). */

/** A GET, and what the release responded: JSON as `body`, anything else by its SHA-256. */
export type RecordedRequest = {
  path: string;
  cookie?: string;
  status: number;
  body?: unknown;
  digest?: string;
};

/** What is kept of a release beside its databases. */
export type Release = {
  version: string;
  /** In milliseconds since 1970: sessions were used then. */
  madeAt: number;
  issuer: string;
  /** The e-mail of an admin. */
  admin: string;
  /** A customer, and a purchase that was made with this key. */
  buyer: {
    cookie: string;
    idempotencyKey: string;
    orderId: string;
    order: { title: string; author: string; priceCents: number; time: string };
  };
  requests: readonly RecordedRequest[];
};

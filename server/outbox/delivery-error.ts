/** The stored error of a receipt that waits for its turn. */
export const receiptLimitReached = 'This buyer has had ten receipts within an hour.';

/** `server`: the server accepts nothing now. `message`: it will never accept this message. `later`: not now. `limit`: the store's own limit. */
type Concern = 'server' | 'message' | 'later' | 'limit';

type Details = { message: string; code: string; cause?: unknown; notBefore?: number | undefined };

export class DeliveryError extends Error {
  readonly concerns: Concern;
  /** The code of the reply (RFC 5321, section 4.2) or of the connection's error. The log may have it; the message may contain the recipient. */
  readonly code: string;
  readonly notBefore: number;

  constructor(concerns: Concern, { message, code, cause, notBefore = 0 }: Details) {
    super(message, { cause });
    this.concerns = concerns;
    this.code = code;
    this.notBefore = notBefore;
  }
}

/** The stored error of a receipt that waits for its turn. */
export const receiptLimitReached = 'This buyer has had ten receipts within an hour.';

/** `server`: it takes nothing now. `message`: never this one. `later`: not this one now. `limit`: the store does not send it now. */
type Concern = 'server' | 'message' | 'later' | 'limit';

type Details = { message: string; code: string; cause?: unknown; notBefore?: number | undefined };

export class DeliveryError extends Error {
  readonly concerns: Concern;
  /** The code of the reply (RFC 5321, section 4.2) or of the connection's error. It may be logged; the message may say who is written to. */
  readonly code: string;
  readonly notBefore: number;

  constructor(concerns: Concern, { message, code, cause, notBefore = 0 }: Details) {
    super(message, { cause });
    this.concerns = concerns;
    this.code = code;
    this.notBefore = notBefore;
  }
}

/** Why a message was not taken. */
export class DeliveryError extends Error {
  /**
   * `server`: it cannot be reached, or takes nothing now. `message`: it will never take this one. `later`: it asks for patience.
   * `limit`: the address has had its receipts of this hour.
   */
  readonly concerns: 'server' | 'message' | 'later' | 'limit';
  /** The code of the reply (RFC 5321, section 4.2) or of the connection's error. It may be logged; the message may say who is written to. */
  readonly code: string;
  /** When it can be sent at the earliest, in milliseconds since 1970. */
  readonly notBefore: number | undefined;

  constructor(
    concerns: DeliveryError['concerns'],
    {
      message,
      code,
      cause,
      notBefore,
    }: { message: string; code: string; cause?: unknown; notBefore?: number },
  ) {
    super(message, { cause });
    this.name = 'DeliveryError';
    this.concerns = concerns;
    this.code = code;
    this.notBefore = notBefore;
  }

  asLater(): DeliveryError {
    const { message, code, cause } = this;
    return new DeliveryError('later', { message, code, cause });
  }
}

/** The stored error of a receipt whose address had its receipts of the hour. */
export const receiptLimitReached = 'RECEIPT_LIMIT';

type Details = {
  message: string;
  code: string;
  cause?: unknown;
  notBefore?: number | undefined;
  wasTried?: boolean;
};

export class DeliveryError extends Error {
  /** `server`: it takes nothing now. `message`: it will never take this one. `later`: it asks for patience. `limit`: of receipts an hour. */
  readonly concerns: 'server' | 'message' | 'later' | 'limit';
  /** The code of the reply (RFC 5321, section 4.2) or of the connection's error. It may be logged; the message may say who is written to. */
  readonly code: string;
  readonly notBefore: number | undefined;
  /** False: the server was not asked. */
  readonly wasTried: boolean;

  constructor(
    concerns: DeliveryError['concerns'],
    { message, code, cause, notBefore, wasTried = true }: Details,
  ) {
    super(message, { cause });
    this.name = 'DeliveryError';
    this.concerns = concerns;
    this.code = code;
    this.notBefore = notBefore;
    this.wasTried = wasTried;
  }

  as(concerns: DeliveryError['concerns'], changes: Partial<Details> = {}): DeliveryError {
    const { message, code, cause } = this;
    return new DeliveryError(concerns, { message, code, cause, ...changes });
  }
}

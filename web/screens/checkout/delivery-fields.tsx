import { maxGiftLength } from '../../../contract/delivery-address.ts';
import type { Way } from '../../../contract/ways.ts';
import { fieldErrorIn } from '../../api/client.ts';
import { AddressField, LinesField } from '../../components/field.tsx';
import { Price } from '../../components/price.tsx';
import { storeConfig } from '../../store-config.ts';
import styles from './delivery-fields.module.css';
import type { DeliveryAddress } from './use-delivery-address.ts';
import type { DeliveryChoice } from './use-delivery-choice.ts';

type DeliveryFieldsProps = {
  ways: readonly Way[];
  /** The way of the order; undefined in a shop without ways. */
  way: Way | undefined;
  gift: string | undefined;
  choose: (changes: DeliveryChoice) => void;
  address: DeliveryAddress;
  /** While the order is on its way, its address cannot be changed. */
  isPending: boolean;
  /** An order that was sent keeps its way and its words, until the store has answered. */
  isSent: boolean;
  error: Error | null;
};

/** How the buyer gets the book: the ways, the address where the way asks for one, and the words of a gift. */
export const DeliveryFields = ({ ways, way, gift, choose, isSent, error, ...rest }: DeliveryFieldsProps) => (
  <>
    {ways.length > 0 && (
      <fieldset className={styles.ways} disabled={isSent}>
        <legend>How would you like to get it?</legend>
        {ways.map(({ id, name, price, line, payOnCollection }) => (
          <label key={id} className={`choice ${styles.way}`}>
            <input type="radio" name="way" checked={id === way?.id} onChange={() => choose({ way: id })} />
            <span dir="auto">
              {name}
              {line && <span className="second">{line}</span>}
              {payOnCollection && <span className="second">You pay when you collect it.</span>}
            </span>
            <Price value={price.value} />
          </label>
        ))}
      </fieldset>
    )}
    {storeConfig.hasDelivery && way?.asksAddress !== false && (
      <AddressField
        text={rest.address.text}
        onType={rest.address.type}
        isPending={rest.address.isPending}
        readOnly={rest.isPending}
        hint="Optional. You can change this until we post the book."
        error={fieldErrorIn(error, 'deliveryAddress')}
      />
    )}
    {way && (
      <div>
        <label className="choice">
          <input
            type="checkbox"
            checked={gift !== undefined}
            disabled={isSent}
            onChange={({ target }) => choose({ gift: target.checked ? '' : undefined })}
          />
          It’s a gift
        </label>
        {gift !== undefined && (
          <LinesField
            label="Words for the gift"
            text={gift}
            onType={(text) => choose({ gift: text })}
            maxLength={maxGiftLength}
            readOnly={isSent}
            hint="Optional. We print them on a slip without prices."
            error={fieldErrorIn(error, 'gift.text')}
          />
        )}
      </div>
    )}
  </>
);

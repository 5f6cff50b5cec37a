import { maxGiftLength } from '../../../contract/delivery-address.ts';
import type { Way } from '../../../contract/ways.ts';
import { fieldErrorIn } from '../../api/client.ts';
import { addressField, LinesField } from '../../components/field.tsx';
import { Price } from '../../components/price.tsx';
import { storeConfig } from '../../store-config.ts';
import type { Delivery } from './use-delivery.ts';

type DeliveryFieldsProps = {
  ways: readonly Way[];
  /** The way of the order; undefined in a shop without ways. */
  way: Way | undefined;
  gift: string | undefined;
  delivery: Delivery;
  /** While the order is on its way, its address cannot be changed. */
  isPending: boolean;
  /** An order that was sent keeps its way and its words, until the store has answered. */
  isSent: boolean;
  error: Error | null;
};

export const DeliveryFields = (props: DeliveryFieldsProps) => {
  const { ways, way, gift, delivery, isPending, isSent, error } = props;
  return (
    <>
      {ways.length > 0 && (
        <fieldset className="field" disabled={isSent}>
          <legend>How would you like to get it?</legend>
          <div className="ruled">
            {ways.map(({ id, name, price, line, payOnCollection }) => (
              <label key={id} className="cluster ends">
                <span className="choice">
                  <input
                    type="radio"
                    name="way"
                    checked={id === way?.id}
                    onChange={() => delivery.change({ way: id })}
                  />
                  <span dir="auto">
                    {name}
                    {line && <span className="second">{line}</span>}
                    {payOnCollection && <span className="second">You pay when you collect it.</span>}
                  </span>
                </span>
                <Price value={price.value} />
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {storeConfig.hasDelivery && way?.asksAddress !== false && (
        <LinesField
          {...addressField}
          text={delivery.address}
          onType={(address) => delivery.change({ address })}
          placeholder={delivery.isPending ? 'Looking for your address…' : undefined}
          readOnly={isPending}
          hint="Optional. You can change this until we post the book."
          error={fieldErrorIn(error, 'deliveryAddress')}
        />
      )}
      {storeConfig.payments.length > 0 && !way?.payOnCollection && <p className="soft">{payText()}</p>}
      {way && (
        <label className="choice">
          <input
            type="checkbox"
            checked={gift !== undefined}
            disabled={isSent}
            onChange={({ target }) => delivery.change({ gift: target.checked ? '' : undefined })}
          />
          It’s a gift
        </label>
      )}
      {gift !== undefined && (
        <LinesField
          label="Words for the gift"
          text={gift}
          onType={(text) => delivery.change({ gift: text })}
          maxLength={maxGiftLength}
          readOnly={isSent}
          hint="Optional. We print them on a slip without prices."
          error={fieldErrorIn(error, 'gift.text')}
        />
      )}
    </>
  );
};

/** The law wants the means of payment told before the order: Directive 2011/83/EU, article 8(3). */
const payText = (): string => {
  const means = storeConfig.payments.map((way) => (way === 'transfer' ? 'by transfer' : 'online'));
  return `You pay after the order, ${[...new Set(means)].join(' or ')}.`;
};

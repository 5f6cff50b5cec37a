import { maxGiftLength } from '../../../contract/delivery-address.ts';
import { paths } from '../../../contract/paths.ts';
import type { Way } from '../../../contract/ways.ts';
import { fieldErrorIn } from '../../api/client.ts';
import { addressField, LinesField } from '../../components/field.tsx';
import { DeliveryPrice } from '../../components/price.tsx';
import { storeConfig } from '../../store-config.ts';
import type { Delivery } from './use-delivery.ts';
import type { usePurchase } from './use-purchase.ts';

type DeliveryFieldsProps = {
  ways: readonly Way[];
  delivery: Delivery;
  purchase: ReturnType<typeof usePurchase>;
};

/** While the order is being sent to the store, its address cannot be changed. An order that was sent keeps its way and its words, until the store has answered. */
export const DeliveryFields = ({ ways, delivery, purchase }: DeliveryFieldsProps) => {
  const { pendingOrder, way, isPending, error } = purchase;
  const gift = pendingOrder.ordered.gift?.text;
  const isSent = isPending || pendingOrder.wasSent;
  const payText = payTextOf(way);
  return (
    <>
      {ways.length > 0 && (
        <fieldset className="field" disabled={isSent}>
          <legend>
            <h2>How would you like to get it?</h2>
          </legend>
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
                <DeliveryPrice value={price.value} />
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {storeConfig.hasDelivery && way?.asksAddress !== false && (
        <section className="stack tight asked">
          <h2>Where shall we send it?</h2>
          <LinesField
            {...addressField}
            text={delivery.address}
            onType={(address) => delivery.change({ address })}
            placeholder={delivery.isPending ? 'Looking for your address…' : addressField.placeholder}
            readOnly={isPending}
            hint="As on an envelope, with the country. You can also add it later, and change it until we send the book."
            error={fieldErrorIn(error, 'deliveryAddress')}
          />
        </section>
      )}
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
      <section className="stack tight">
        {payText && <h2>How you pay</h2>}
        {payText && <p>{payText}</p>}
        {storeConfig.note && <p>{storeConfig.note}</p>}
        <ShopTerms />
      </section>
    </>
  );
};

/** The law wants the means of payment told before the order: Directive 2011/83/EU, article 8(3). */
const payTextOf = (way: Way | undefined): string | undefined => {
  const means = storeConfig.payments.map((way) => (way === 'transfer' ? 'by transfer' : 'online'));
  return means.length > 0 && !way?.payOnCollection
    ? `You pay after the order, ${[...new Set(means)].join(' or ')}.`
    : undefined;
};

/** The pages of the shop that a buyer may want to read before the order. */
const wanted = ['terms', 'delivery'].map((slug) => `footer a[href="${paths.shopPage(slug)}"]`).join();

/** Links to these pages, if the shop has them: the foot of the document links them all. They open beside the order, which stays as it is. */
const ShopTerms = () => {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(wanted)];
  return (
    links.length > 0 && (
      <p className="cluster soft">
        {links.map(({ href, textContent }) => (
          <a key={href} href={href} target="_blank" rel="noopener">
            {textContent}
          </a>
        ))}
      </p>
    )
  );
};

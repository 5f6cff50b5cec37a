import { paths } from '../../../contract/paths.ts';

/** The pages of the shop that a buyer may want to read before the order. */
const wanted = ['terms', 'delivery'].map((slug) => `footer a[href="${paths.shopPage(slug)}"]`).join();

/** Links to these pages, if the shop has them: the foot of the document links them all. They open beside the order, which stays as it is. */
export const ShopTerms = () => {
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

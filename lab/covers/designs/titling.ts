/** The titling of a cover: title, subtitle and author one below the other, with sizes that fit their space. */
import { type Align, type Block, capitals, compose, print } from './composing.ts';
import type { CoverText } from './cover-text.ts';
import type { FaceName } from './type-case.ts';

/** The typeface of one of the three texts; `size` is the maximum. */
export type Voice = {
  face: FaceName;
  size: number;
  leading?: number;
  tracking?: number;
  maxLines?: number;
  inCapitals?: boolean;
};

/** The space for a titling, and the typefaces of its texts. */
export type TitlingPlan = {
  width: number;
  height: number;
  title: Voice;
  subtitle: Voice;
  credit: Voice;
  /** The empty space above the subtitle and above the credit. */
  gaps: { subtitle: number; credit: number };
};

/**
 * A typeset titling. Tops are those of the capitals, measured from the top of the titling with its accents.
 * `height` ends at the last baseline.
 */
export type Titling = {
  title: Block;
  titleTop: number;
  /** The lower edge of title and subtitle, where the space above the credit starts. */
  titleBottom: number;
  subtitle: Block | undefined;
  subtitleTop: number;
  credit: Block;
  creditTop: number;
  height: number;
};

function composeVoice(text: string, voice: Voice, width: number, height: number): Block {
  const { size, inCapitals, ...rest } = voice;
  return compose(inCapitals ? capitals(text) : text, { ...rest, width, height, maxSize: size });
}

/** Sets the three texts of a cover; the title gets the space that the other two leave. */
export function setTitling(text: CoverText, plan: TitlingPlan): Titling {
  const credit = composeVoice(text.credit, { maxLines: 2, ...plan.credit }, plan.width, plan.height * 0.25);
  const subtitle =
    text.subtitle === ''
      ? undefined
      : composeVoice(text.subtitle, { maxLines: 3, ...plan.subtitle }, plan.width, plan.height * 0.25);
  const rest =
    plan.height -
    credit.height -
    plan.gaps.credit -
    (subtitle ? subtitle.height + subtitle.under + plan.gaps.subtitle : 0);
  // Accents and descenders are outside a block's height. About an eighth of the space is reserved for them.
  const title = composeVoice(text.title, plan.title, plan.width, rest * 0.88);
  const titleTop = title.over;
  const subtitleTop = titleTop + title.height + title.under + plan.gaps.subtitle;
  const titleBottom = subtitle
    ? subtitleTop + subtitle.height + subtitle.under
    : titleTop + title.height + title.under;
  const creditTop = titleBottom + plan.gaps.credit;
  return {
    title,
    titleTop,
    titleBottom,
    subtitle,
    subtitleTop,
    credit,
    creditTop,
    height: creditTop + credit.height,
  };
}

/** @returns SVG paths of a titling at `top`; `titleInk` is for a title in another colour. */
export function printTitling(
  titling: Titling,
  x: number,
  top: number,
  align: Align,
  ink: string,
  titleInk = ink,
): string {
  const { title, subtitle, credit } = titling;
  return (
    print(title, x, top + titling.titleTop, align, titleInk) +
    (subtitle ? print(subtitle, x, top + titling.subtitleTop, align, ink) : '') +
    print(credit, x, top + titling.creditTop, align, ink)
  );
}

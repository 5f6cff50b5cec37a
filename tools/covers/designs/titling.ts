/** The titling of a cover: title, subtitle and author one below the other, sized together to fit their space. */
import { type Align, type Block, capitals, compose, print } from './composing.ts';
import type { CoverText } from './cover-text.ts';
import type { FaceName } from './type-case.ts';

/** How one of the three texts is set; `size` is the largest it may be. */
export type Voice = {
  face: FaceName;
  size: number;
  leading?: number;
  tracking?: number;
  maxLines?: number;
  inCapitals?: boolean;
};

export type TitlingPlan = {
  width: number;
  height: number;
  title: Voice;
  subtitle: Voice;
  credit: Voice;
  /** Clear space above the subtitle and above the credit. */
  gaps: { subtitle: number; credit: number };
};

/** Tops are the capitals', counted from the titling's own top, accents included; `height` ends at the last baseline. */
export type Titling = {
  title: Block;
  titleTop: number;
  /** Where the ink of title and subtitle ends and the space above the credit starts. */
  titleBottom: number;
  subtitle: Block | undefined;
  subtitleTop: number;
  credit: Block;
  creditTop: number;
  height: number;
};

function speak(text: string, voice: Voice, width: number, height: number): Block {
  const { size, inCapitals, ...rest } = voice;
  return compose(inCapitals ? capitals(text) : text, { ...rest, width, height, maxSize: size });
}

export function setTitling(text: CoverText, plan: TitlingPlan): Titling {
  const credit = speak(text.credit, { maxLines: 2, ...plan.credit }, plan.width, plan.height * 0.25);
  const subtitle =
    text.subtitle === ''
      ? undefined
      : speak(text.subtitle, { maxLines: 3, ...plan.subtitle }, plan.width, plan.height * 0.25);
  const rest =
    plan.height -
    credit.height -
    plan.gaps.credit -
    (subtitle ? subtitle.height + subtitle.under + plan.gaps.subtitle : 0);
  // Accents and descenders reach out of a block's height: about an eighth of it is kept for them.
  const title = speak(text.title, plan.title, plan.width, rest * 0.88);
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

/** Prints a titling at `top`; `titleInk` is for covers whose title has a colour of its own. */
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

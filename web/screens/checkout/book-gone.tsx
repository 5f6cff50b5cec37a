import { screens } from '../../../contract/paths.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';

/** In place of a checkout whose book was deleted, or never existed. */
export const BookGone = () => (
  <Notice role="alert">
    <p>This book is no longer for sale.</p>
    <ButtonLink href={screens.home}>Back to the shelf</ButtonLink>
  </Notice>
);

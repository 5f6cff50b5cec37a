import { ButtonLink } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { useBackToShelf } from '../../navigation/back-to-shelf.ts';

/** Shown in place of a checkout whose book was deleted or never existed. */
export const BookGone = () => (
  <Notice role="alert">
    <p>This book is no longer for sale.</p>
    <ButtonLink variant="primary" {...useBackToShelf()}>
      Back to the shelf
    </ButtonLink>
  </Notice>
);

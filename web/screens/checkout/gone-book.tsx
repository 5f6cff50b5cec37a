import { screens } from '../../../contract/paths.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';

export const GoneBook = () => (
  <Notice role="alert">
    <p>This book is no longer for sale.</p>
    <ButtonLink href={screens.home}>Back to the shelf</ButtonLink>
  </Notice>
);

import { ButtonLink } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { useBackToShelf } from '../../navigation/back-to-shelf.ts';

export const NotFound = () => (
  <main id="content" className="page">
    <Notice>
      <ScreenHeading title="Page not found">We can’t find that page</ScreenHeading>
      <p>The link may be old or mistyped.</p>
      <ButtonLink {...useBackToShelf()}>Back to the shelf</ButtonLink>
    </Notice>
  </main>
);
